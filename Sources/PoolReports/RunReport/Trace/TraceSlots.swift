import PoolAnalysis
import PoolModel

/// The attempts of each slot in a place, in the order of time and without overlaps.
struct TraceSlots {
  /// An attempt, in microseconds of the run.
  struct Slice {
    var operation: Int
    var attempt: Int
    var start: Int
    var end: Int
    /// Whether the records have no end of it.
    var isUnfinished: Bool
  }

  /// The end of a worker that did not end as it should.
  struct Death {
    /// Its place in the history.
    var worker: Int
    var time: Int
  }

  /// A slot of a place.
  struct Slot {
    var track: TraceTrack
    /// Its lane in the timelines of the run.
    var lane: Int
    var slices: [Slice] = []
    var deaths: [Death] = []
  }

  /// In the order of places, then lanes.
  let slots: [Slot]

  /// Sorts the attempts of a run; O(*n* log *n*).
  init(_ history: RunHistory, _ lanes: SlotLanes, _ places: TracePlaces) {
    var search = Search(history, lanes, places)
    search.addAttempts(history)
    search.addDeaths(history)
    slots = search.slots.map { slot in
      var slot = slot
      slot.slices = Self.separated(slot.slices)
      slot.deaths.sort { ($0.time, $0.worker) < ($1.time, $1.worker) }
      return slot
    }
  }

  /// One worker executes one attempt at a time, but clocks differ, and records may end early.
  private static func separated(_ slices: [Slice]) -> [Slice] {
    var slices = slices.sorted {
      ($0.start, $0.end, $0.operation, $0.attempt) < ($1.start, $1.end, $1.operation, $1.attempt)
    }
    var end = 0
    for index in slices.indices {
      if slices[index].isUnfinished, index + 1 < slices.count {
        slices[index].end = min(slices[index].end, slices[index + 1].start)
      }
      slices[index].start = max(slices[index].start, end)
      slices[index].end = max(slices[index].end, slices[index].start)
      end = slices[index].end
    }
    return slices
  }

  /// Finds the slot of each worker.
  private struct Search {
    private(set) var slots: [Slot] = []
    /// The slot of each worker of the history.
    private var slotOfWorker: [Int] = []

    init(_ history: RunHistory, _ lanes: SlotLanes, _ places: TracePlaces) {
      let keys = history.workers.indices.map { places.ofWorker[$0] * lanes.count + lanes[$0] }
      var slotOfKey: [Int: Int] = [:]
      for key in Set(keys).sorted() {
        slotOfKey[key] = slots.count
        let (place, lane) = key.quotientAndRemainder(dividingBy: lanes.count)
        slots.append(Slot(track: Self.track(place, lane), lane: lane))
      }
      slotOfWorker = keys.map { slotOfKey[$0] ?? 0 }
    }

    private static func track(_ place: Int, _ lane: Int) -> TraceTrack {
      TraceTrack(
        process: TraceTrack.process(ofPlace: place),
        thread: TraceTrack.firstThread + lane
      )
    }

    mutating func addAttempts(_ history: RunHistory) {
      for place in history.operations.indices {
        let attempts = history.operations[place].attempts
        for number in attempts.indices {
          let slice = Slice(
            operation: place,
            attempt: number,
            start: TraceTime.micro(attempts[number].started),
            end: TraceTime.micro(
              attempts[number].finished ?? history.operations[place].settled ?? history.end
            ),
            isUnfinished: attempts[number].finished == nil
          )
          slots[slotOfWorker[attempts[number].workerPlace]].slices.append(slice)
        }
      }
    }

    mutating func addDeaths(_ history: RunHistory) {
      for (place, worker) in history.workers.enumerated() where worker.isDeath {
        guard let ended = worker.ended else { continue }
        let death = Death(worker: place, time: TraceTime.micro(ended))
        slots[slotOfWorker[place]].deaths.append(death)
      }
    }
  }
}
