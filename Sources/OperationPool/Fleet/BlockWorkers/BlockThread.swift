/// The thread that reports the end of a block, or gives a block to the thread pool.
enum BlockThread {
  /// The loop's.
  case loop
  /// One of the thread pool, which looks for its next block afterwards.
  case seeking
  /// Another one, such as that of a task, or of a caller that adds operations.
  ///
  /// It starts no threads: they would inherit what the user has set for it, such as its processors.
  case foreign
  /// One that a block ends. It takes no turn: what the block has set for itself is still in force.
  case ending
}
