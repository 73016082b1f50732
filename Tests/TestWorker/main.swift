import OperationWorker

// A worker with kinds of its own, some of them hostile.
if try PoolWorker.serveIfSpawned(
  .noop,
  .echo,
  .operation(Sum.self),
  .operation(AsyncSum.self),
  .operation(Fail.self),
  .operation(Mixed.self),
  .operation(Complain.self),
  .operation(Use.self).measuringUsage(),
  .asyncOperation(AsyncComplain.self),
  .operation(Deep.self),
  .print,
  .operation(Say.self),
  .asyncOperation(AsyncSay.self),
  .readStdin,
  .operation(AwaitMainActor.self),
  .operation(OnMainActor.self),
  .operation(UseMainQueue.self),
  .operation(EndThread.self),
  .crash,
  .fatal,
  .exit,
  .grandchild,
  .operation(UntilCancelled.self),
  .operation(LogUntilCancelled.self),
  .asyncOperation(SleepUntilCancelled.self),
  .stubborn,
  .count,
  .pid,
  .notJSON,
  .talkative,
  .chatter,
  .lament,
  .raise,
  .closeOutputs,
  .garble,
  .stall,
  .shortOutput,
  .complain,
  .operation(Look.self),
  .asyncOperation(AsyncLook.self),
  .operation(SumOfInputs.self),
  .operation(BytesOfInput.self),
  .operation(Niceness.self),
  .asyncOperation(AsyncNiceness.self)
) {
  // Nothing else to do.
} else {
  print("not a worker")
}
