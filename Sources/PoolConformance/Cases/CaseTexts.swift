/// The cases of `Protocol/conformance`, so that the program needs no folder.
///
/// `RECORD_SNAPSHOTS=1 swift test --filter StandardCaseTests` writes this file anew.
enum CaseTexts {
  /// The name and the text of each file, in the order of the names.
  static let all: [(name: String, json: String)] = [
    (
      "attachments",
      #"""
      {
        "title": "takes a payload that is an attachment",
        "section": "7",
        "paragraph": [
          "it accepts payloads that are packed values, and may send such results"
        ],
        "needs": ["succeeds"],
        "capabilities": ["attachments"],
        "steps": [
          {"greet": {"attachmentLimit": 1048576}},
          {"sendPacked": {
            "type": "execute", "operation": 1, "dispatch": 1, "attempt": 1, "kind": "$kind",
            "payload": "$succeeds"
          }},
          {"expect": {"type": "finished", "operation": 1, "dispatch": 1, "error": null}},
          {"send": {
            "type": "execute", "operation": 2, "dispatch": 2, "attempt": 1, "kind": "$kind",
            "payload": "$succeeds"
          }},
          {"expect": {"type": "finished", "operation": 2, "dispatch": 2, "error": null}}
        ]
      }

      """#
    ),
    (
      "cancel-executing",
      #"""
      {
        "title": "an executing operation is cancelled, and the worker goes on",
        "section": "7",
        "paragraph": [
          "it acts on `cancel` while it executes, and takes the steps for the groups that it",
          "reports"
        ],
        "needs": ["lasts"],
        "capabilities": ["cancel"],
        "steps": [
          {"greet": {}},
          {"send": {
            "type": "execute", "operation": 1, "dispatch": 1, "attempt": 1, "kind": "$kind",
            "payload": "$lasts"
          }},
          {"expect": {"type": "executing", "operation": 1, "dispatch": 1}},
          {"send": {
            "type": "cancel", "operation": 1, "dispatch": 1,
            "steps": [
              {"step": "message", "grace": 1000},
              {"step": "signal", "signal": 15, "grace": 1000},
              {"step": "signal", "signal": 9}
            ]
          }},
          {"expect": [
            {"type": "cancelled", "operation": 1, "dispatch": 1},
            {"type": "finished", "operation": 1, "dispatch": 1}
          ]},
          {"send": {
            "type": "execute", "operation": 2, "dispatch": 2, "attempt": 1, "kind": "$kind",
            "payload": "$payload"
          }},
          {"expect": {"type": "finished", "operation": 2, "dispatch": 2}}
        ]
      }

      """#
    ),
    (
      "cancel-prefetched",
      #"""
      {
        "title": "a prefetched operation is cancelled at once, while another one executes",
        "section": "5",
        "paragraph": [
          "A prefetched operation is answered with `cancelled` at once and never executed."
        ],
        "needs": ["lasts"],
        "capabilities": ["prefetch", "cancel"],
        "steps": [
          {"greet": {}},
          {"send": [
            {
              "type": "execute", "operation": 1, "dispatch": 1, "attempt": 1, "kind": "$kind",
              "payload": "$lasts"
            },
            {
              "type": "execute", "operation": 2, "dispatch": 2, "attempt": 1, "kind": "$kind",
              "payload": "$payload"
            }
          ]},
          {"expect": {"type": "executing", "operation": 1, "dispatch": 1}},
          {"send": {
            "type": "cancel", "operation": 2, "dispatch": 2,
            "steps": [
              {"step": "message", "grace": 1000},
              {"step": "signal", "signal": 15, "grace": 1000},
              {"step": "signal", "signal": 9}
            ]
          }},
          {
            "expect": {"type": "cancelled", "operation": 2, "dispatch": 2},
            "among": ["executing", "finished"]
          }
        ]
      }

      """#
    ),
    (
      "cut-frame",
      #"""
      {
        "title": "an end of input within a frame ends the worker, with a reason",
        "section": "10",
        "paragraph": [
          "A worker that receives a frame like the first four ends, otherwise than with status",
          "0, and says why on its standard error."
        ],
        "steps": [
          {"greet": {}},
          {"sendHex": "00 00 00 40 7b"},
          {"closeInput": true},
          {"expectExit": "failure"},
          {"expectStandardError": ""}
        ]
      }

      """#
    ),
    (
      "deep-payload",
      #"""
      {
        "title": "a payload of 512 levels is answered",
        "section": "3",
        "paragraph": [
          "A field's value may nest arrays and objects 512 levels deep, not counting the",
          "message itself."
        ],
        "steps": [
          {"greet": {}},
          {"send": {
            "type": "execute", "operation": 1, "dispatch": 1, "attempt": 1, "kind": "$kind",
            "payload": "$deep"
          }},
          {"expect": {"type": "finished", "operation": 1, "dispatch": 1}},
          {"send": {
            "type": "execute", "operation": 2, "dispatch": 2, "attempt": 1, "kind": "$kind",
            "payload": "$payload"
          }},
          {"expect": {"type": "finished", "operation": 2, "dispatch": 2}}
        ]
      }

      """#
    ),
    (
      "drain-prefetched",
      #"""
      {
        "title": "executes what it has prefetched before drain ends it",
        "section": "5",
        "paragraph": [
          "`drain` — execute and answer all prefetched operations, then exit (capability",
          "`drain`)."
        ],
        "capabilities": ["drain", "prefetch"],
        "steps": [
          {"greet": {}},
          {"send": [
            {
              "type": "execute", "operation": 1, "dispatch": 1, "attempt": 1, "kind": "$kind",
              "payload": "$payload"
            },
            {
              "type": "execute", "operation": 2, "dispatch": 2, "attempt": 1, "kind": "$kind",
              "payload": "$payload"
            },
            {
              "type": "execute", "operation": 3, "dispatch": 3, "attempt": 1, "kind": "$kind",
              "payload": "$payload"
            },
            {"type": "drain"}
          ]},
          {"expectAnswers": true},
          {"expectExit": "any"}
        ]
      }

      """#
    ),
    (
      "drain",
      #"""
      {
        "title": "ends after drain when it has answered everything",
        "section": "5",
        "paragraph": [
          "`drain` — execute and answer all prefetched operations, then exit (capability",
          "`drain`)."
        ],
        "capabilities": ["drain"],
        "steps": [
          {"greet": {}},
          {"send": {
            "type": "execute", "operation": 1, "dispatch": 1, "attempt": 1, "kind": "$kind",
            "payload": "$payload"
          }},
          {"expect": {"type": "finished", "operation": 1, "dispatch": 1}},
          {"send": {"type": "drain"}},
          {"expectExit": "any"}
        ]
      }

      """#
    ),
    (
      "end-executing",
      #"""
      {
        "title": "exits when its input ends while it executes, and leaves no process",
        "section": "7",
        "paragraph": [
          "When its input ends, a worker must exit soon, with any status, and end its executing",
          "operation: no process that it started for an operation may live on."
        ],
        "needs": ["lasts"],
        "capabilities": ["cancel"],
        "steps": [
          {"greet": {}},
          {"send": {
            "type": "execute", "operation": 1, "dispatch": 1, "attempt": 1, "kind": "$kind",
            "payload": "$lasts"
          }},
          {"expect": {"type": "executing", "operation": 1, "dispatch": 1}},
          {"closeInput": true},
          {"expectExit": "any", "leaves": "nothing"}
        ]
      }

      """#
    ),
    (
      "end-idle",
      #"""
      {
        "title": "exits when its input ends",
        "section": "7",
        "paragraph": [
          "When its input ends, a worker must exit soon, with any status, and end its executing",
          "operation: no process that it started for an operation may live on."
        ],
        "steps": [
          {"greet": {}},
          {"send": {
            "type": "execute", "operation": 1, "dispatch": 1, "attempt": 1, "kind": "$kind",
            "payload": "$payload"
          }},
          {"expect": {"type": "finished", "operation": 1, "dispatch": 1}},
          {"closeInput": true},
          {"expectExit": "any", "leaves": "nothing"}
        ]
      }

      """#
    ),
    (
      "fails",
      #"""
      {
        "title": "a failure is answered, and the worker goes on",
        "section": "4",
        "paragraph": [
          "Every `execute` is answered **exactly once**, by `finished`, `cancelled` or",
          "`returned`."
        ],
        "needs": ["fails"],
        "steps": [
          {"greet": {}},
          {"send": {
            "type": "execute", "operation": 1, "dispatch": 1, "attempt": 1, "kind": "$kind",
            "payload": "$fails"
          }},
          {"expect": {"type": "finished", "operation": 1, "dispatch": 1, "error": "$any"}},
          {"send": {
            "type": "execute", "operation": 2, "dispatch": 2, "attempt": 1, "kind": "$kind",
            "payload": "$fails"
          }},
          {"expect": {"type": "finished", "operation": 2, "dispatch": 2, "error": "$any"}}
        ]
      }

      """#
    ),
    (
      "files",
      #"""
      {
        "title": "works where the coordinator opens its files",
        "section": "8",
        "paragraph": [
          "The coordinator opens that file through the worker's descriptor table",
          "(`/proc/PID/fd/N` on Linux), then sends `release`; until then, the worker must keep",
          "the descriptor open, even while it executes other operations."
        ],
        "capabilities": ["files"],
        "steps": [
          {"greet": {"files": true}},
          {"send": {
            "type": "execute", "operation": 1, "dispatch": 1, "attempt": 1, "kind": "$kind",
            "payload": "$payload"
          }},
          {"expect": {"type": "finished", "operation": 1, "dispatch": 1}},
          {"send": [
            {"type": "release", "operation": 1, "dispatch": 1},
            {
              "type": "execute", "operation": 2, "dispatch": 2, "attempt": 1, "kind": "$kind",
              "payload": "$payload"
            }
          ]},
          {"expect": {"type": "finished", "operation": 2, "dispatch": 2}}
        ]
      }

      """#
    ),
    (
      "foreign-json",
      #"""
      {
        "title": "JSON of other encoders is understood: blanks, order, escapes, a field twice",
        "section": "3",
        "paragraph": [
          "White space and the order of fields are free. If a field comes twice, the last one",
          "counts."
        ],
        "steps": [
          {"greet": {}},
          {"sendBody": [
            "{ \"payload\" :\t$payload ,\r\n",
            " \"ki\\u006ed\":$kind, \"dispatch\":\n1 ,\"operation\": 2,",
            "\"attempt\":1,\"operation\" : 1 , \"t\\u0079pe\" : \"execute\" }\n"
          ]},
          {"expect": {"type": "finished", "operation": 1, "dispatch": 1}}
        ]
      }

      """#
    ),
    (
      "fragments",
      #"""
      {
        "title": "frames that come byte by byte are understood",
        "section": "2",
        "paragraph": [
          "**A frame** is a length, four bytes, big-endian, and a body of that many bytes:"
        ],
        "steps": [
          {"greet": {}, "pieces": 1},
          {
            "send": {
              "type": "execute", "operation": 1, "dispatch": 1, "attempt": 1, "kind": "$kind",
              "payload": "$payload"
            },
            "pieces": 1
          },
          {"expect": {"type": "finished", "operation": 1, "dispatch": 1}}
        ]
      }

      """#
    ),
    (
      "hello",
      #"""
      {
        "title": "sends the magic line and hello at once",
        "section": "4",
        "paragraph": [
          "The worker sends the magic line and `hello` at once, without waiting; a coordinator",
          "gives it some seconds (10 by default)."
        ],
        "steps": [
          {"expect": {"type": "hello", "versions": {"$contains": 1}, "kinds": "$any"}}
        ]
      }

      """#
    ),
    (
      "inputs",
      #"""
      {
        "title": "takes inputs in each form that a frame has",
        "section": "7",
        "paragraph": [
          "it hands `inputs` to its operations, in each of their forms, `file` among them"
        ],
        "needs": ["succeeds"],
        "capabilities": ["inputs"],
        "steps": [
          {"greet": {}},
          {"send": {
            "type": "execute", "operation": 1, "dispatch": 1, "attempt": 1, "kind": "$kind",
            "payload": "$succeeds",
            "inputs": {
              "a b": {"json": null}, "c": {"json": [1, {"d": "e"}]}, "f": {"output": "g\n"},
              "h": {"output": {"base64": "/w=="}}
            }
          }},
          {"expect": {"type": "finished", "operation": 1, "dispatch": 1, "error": null}}
        ]
      }

      """#
    ),
    (
      "large-numbers",
      #"""
      {
        "title": "numbers above 2^53 come back exactly",
        "section": "3",
        "paragraph": [
          "If a language has only signed or floating-point numbers, keep the digits as text (a",
          "decoder for large integers, or a pattern such as `\"dispatch\":([0-9]+)` applied to",
          "the part before `payload`), and write the same digits. Numbers above 2^53 do occur."
        ],
        "steps": [
          {"greet": {}},
          {"send": {
            "type": "execute", "operation": 18446744073709551615, "dispatch": 9007199254740993,
            "attempt": 1, "kind": "$kind", "payload": "$payload"
          }},
          {"expect": {
            "type": "finished", "operation": 18446744073709551615, "dispatch": 9007199254740993
          }},
          {"send": {
            "type": "execute", "operation": 9223372036854775809, "dispatch": 18446744073709551614,
            "attempt": 1, "kind": "$kind", "payload": "$payload"
          }},
          {"expect": {
            "type": "finished", "operation": 9223372036854775809, "dispatch": 18446744073709551614
          }}
        ]
      }

      """#
    ),
    (
      "large-payload",
      #"""
      {
        "title": "a payload of 4 MiB is answered",
        "section": "2",
        "paragraph": [
          "No body may be larger than the frame limit: 67,174,400 bytes (64 MiB for a payload",
          "and 64 KiB for what is around it) unless `welcome` says otherwise."
        ],
        "steps": [
          {"greet": {}},
          {
            "send": {
              "type": "execute", "operation": 1, "dispatch": 1, "attempt": 1, "kind": "$kind",
              "payload": "$large"
            },
            "within": 30
          },
          {"expect": {"type": "finished", "operation": 1, "dispatch": 1}, "within": 30},
          {"send": {
            "type": "execute", "operation": 2, "dispatch": 2, "attempt": 1, "kind": "$kind",
            "payload": "$payload"
          }},
          {"expect": {"type": "finished", "operation": 2, "dispatch": 2}}
        ]
      }

      """#
    ),
    (
      "late-requests",
      #"""
      {
        "title": "requests about a dispatch that it does not have are ignored",
        "section": "4",
        "paragraph": [
          "Requests and answers may cross: a worker must ignore a `cancel`, `recall`, `release`",
          "or `tail` whose dispatch it does not have, or no longer has."
        ],
        "steps": [
          {"greet": {}},
          {"send": {
            "type": "execute", "operation": 1, "dispatch": 1, "attempt": 1, "kind": "$kind",
            "payload": "$payload"
          }},
          {"expect": {"type": "finished", "operation": 1, "dispatch": 1}},
          {"send": [
            {
              "type": "cancel", "operation": 1, "dispatch": 1,
              "steps": [
                {"step": "message", "grace": 1000},
                {"step": "signal", "signal": 15, "grace": 1000},
                {"step": "signal", "signal": 9}
              ]
            },
            {"type": "recall", "operation": 1, "dispatch": 1},
            {"type": "release", "operation": 1, "dispatch": 1},
            {"type": "tail", "operation": 1, "dispatch": 1, "bytes": 100}
          ]},
          {"send": [
            {
              "type": "cancel", "operation": 7, "dispatch": 7,
              "steps": [
                {"step": "message", "grace": 1000},
                {"step": "signal", "signal": 15, "grace": 1000},
                {"step": "signal", "signal": 9}
              ]
            },
            {"type": "recall", "operation": 8, "dispatch": 8},
            {"type": "release", "operation": 9, "dispatch": 9},
            {"type": "tail", "operation": 10, "dispatch": 10, "bytes": 100}
          ]},
          {"send": {
            "type": "execute", "operation": 11, "dispatch": 11, "attempt": 1, "kind": "$kind",
            "payload": "$payload"
          }},
          {"expect": {"type": "finished", "operation": 11, "dispatch": 11}}
        ]
      }

      """#
    ),
    (
      "lease",
      #"""
      {
        "title": "ends with what it executes when its lease is not renewed",
        "section": "8",
        "paragraph": [
          "One second before the end, everything that the",
          "worker executes must be gone, whatever teardown is under way, and however its processes were",
          "stopped."
        ],
        "needs": ["lasts"],
        "capabilities": ["lease"],
        "steps": [
          {"greet": {"lease": 5000}},
          {"send": {
            "type": "execute", "operation": 1, "dispatch": 1, "attempt": 1, "kind": "$kind",
            "payload": "$lasts"
          }},
          {"expect": {"type": "executing", "operation": 1, "dispatch": 1}},
          {"expect": {"type": "renew", "number": "$any"}},
          {"expectExit": "any", "leaves": "nothing"}
        ]
      }

      """#
    ),
    (
      "marks",
      #"""
      {
        "title": "marks the end of what an operation has printed",
        "section": "8",
        "paragraph": [
          "When an operation ends that has written something there, the worker writes out what",
          "its libraries hold of it, then the mark, in one call, and then sends `printed` and",
          "the answer."
        ],
        "needs": ["prints"],
        "capabilities": ["marks"],
        "steps": [
          {"greet": {"printMark": 1234}},
          {"send": {
            "type": "execute", "operation": 1, "dispatch": 1, "attempt": 1, "kind": "$kind",
            "payload": "$prints"
          }},
          {
            "expect": {"type": "printed", "operation": 1, "dispatch": 1},
            "passIf": {"type": "finished", "operation": 1, "dispatch": 1, "stdout": "$any"}
          },
          {"expect": {"type": "finished", "operation": 1, "dispatch": 1}},
          {
            "expectStandardError": "\u001eopool 00000000000004d2 0000000000000001 0000000000000001\n"
          }
        ]
      }

      """#
    ),
    (
      "no-line-feed",
      #"""
      {
        "title": "a body without a line feed ends the worker, with a reason",
        "section": "2",
        "paragraph": [
          "Writers must add it, and readers must treat a body without it as a violation: it",
          "shows that the length before the body was not damaged on its way."
        ],
        "steps": [
          {"greet": {}},
          {"sendBody": [
            "{\"type\":\"execute\",\"operation\":1,\"dispatch\":1,",
            "\"kind\":$kind,\"payload\":$payload}"
          ]},
          {"expectExit": "failure"},
          {"expectStandardError": ""}
        ]
      }

      """#
    ),
    (
      "no-type",
      #"""
      {
        "title": "a body without a type ends the worker, with a reason",
        "section": "10",
        "paragraph": [
          "A worker that receives a frame like the first four ends, otherwise than with status",
          "0, and says why on its standard error."
        ],
        "steps": [
          {"greet": {}},
          {"sendBody": "{\"operation\":1}\n"},
          {"expectExit": "failure"},
          {"expectStandardError": ""}
        ]
      }

      """#
    ),
    (
      "not-json",
      #"""
      {
        "title": "a body that is no JSON object ends the worker, with a reason",
        "section": "10",
        "paragraph": [
          "A worker that receives a frame like the first four ends, otherwise than with status",
          "0, and says why on its standard error."
        ],
        "steps": [
          {"greet": {}},
          {"sendBody": "{\"type\":\n"},
          {"expectExit": "failure"},
          {"expectStandardError": ""}
        ]
      }

      """#
    ),
    (
      "null-fields",
      #"""
      {
        "title": "null means that the field is absent",
        "section": "3",
        "paragraph": [
          "**`null`** as a field's value means that the field is absent, in the objects within",
          "a message too; only for `payload`, `result` and the `json` of an input is it a",
          "value."
        ],
        "steps": [
          {"greet": {
            "outbox": null, "attachmentLimit": null, "printMark": null, "streams": null,
            "outputGrace": null, "slot": null
          }},
          {"send": {
            "type": "execute", "operation": 1, "dispatch": 1, "attempt": null, "kind": "$kind",
            "qos": null, "payload": "$payload", "packed": null, "name": null, "queue": null,
            "outputs": null, "inputs": null, "limits": null, "variables": null
          }},
          {"expect": {"type": "finished", "operation": 1, "dispatch": 1}}
        ]
      }

      """#
    ),
    (
      "optional-fields",
      #"""
      {
        "title": "fields that it has no use for, and unknown words in them, do no harm",
        "section": "8",
        "paragraph": [
          "The other two forms are sent to any worker, and one without the capability may",
          "ignore them, as it may ignore `name` and `queue`."
        ],
        "steps": [
          {"greet": {"slot": 3, "outputGrace": 50}},
          {"send": {
            "type": "execute", "operation": 1, "dispatch": 1, "attempt": 2, "kind": "$kind",
            "payload": "$payload", "qos": "no such class", "name": "a name", "queue": "a queue",
            "outputs": "no such word",
            "inputs": {"first": {"json": {"a": [null]}}, "second": {"output": "text\n"}},
            "limits": {"stdout": {"bytes": 1000000, "excess": "no such word"}},
            "variables": {"OPOOL_ID": "1"}
          }},
          {"expect": {"type": "finished", "operation": 1, "dispatch": 1}}
        ]
      }

      """#
    ),
    (
      "ping",
      #"""
      {
        "title": "a ping is answered while an operation executes",
        "section": "5",
        "paragraph": [
          "`ping` — asks for a sign of life. Field: `number`, integer. The answer is `pong`",
          "with the same number, at once, even while an operation executes (capability `ping`)."
        ],
        "needs": ["lasts"],
        "capabilities": ["ping"],
        "steps": [
          {"greet": {}},
          {"send": {"type": "ping", "number": 1}},
          {"expect": {"type": "pong", "number": 1}},
          {"send": {
            "type": "execute", "operation": 1, "dispatch": 1, "attempt": 1, "kind": "$kind",
            "payload": "$lasts"
          }},
          {"expect": {"type": "executing", "operation": 1, "dispatch": 1}},
          {"send": {"type": "ping", "number": 9007199254740993}},
          {"expect": {"type": "pong", "number": 9007199254740993}, "among": ["finished"]}
        ]
      }

      """#
    ),
    (
      "prefetch",
      #"""
      {
        "title": "operations that come ahead are all answered",
        "section": "7",
        "paragraph": [
          "it accepts operations beyond the one it executes, and executes them in the order of",
          "dispatch"
        ],
        "capabilities": ["prefetch"],
        "steps": [
          {"greet": {}},
          {"send": [
            {
              "type": "execute", "operation": 1, "dispatch": 1, "attempt": 1, "kind": "$kind",
              "payload": "$payload"
            },
            {
              "type": "execute", "operation": 2, "dispatch": 2, "attempt": 1, "kind": "$kind",
              "payload": "$payload"
            },
            {
              "type": "execute", "operation": 3, "dispatch": 3, "attempt": 1, "kind": "$kind",
              "payload": "$payload"
            },
            {
              "type": "execute", "operation": 4, "dispatch": 4, "attempt": 1, "kind": "$kind",
              "payload": "$payload"
            }
          ]},
          {"expectAnswers": true},
          {"send": {
            "type": "execute", "operation": 5, "dispatch": 5, "attempt": 1, "kind": "$kind",
            "payload": "$payload"
          }},
          {"expect": {"type": "finished", "operation": 5, "dispatch": 5}}
        ]
      }

      """#
    ),
    (
      "prints",
      #"""
      {
        "title": "what an operation prints does not come between frames",
        "section": "2",
        "paragraph": [
          "A worker must keep its frames clean: a stray `print` in an operation, or in a",
          "program that it starts, would end up between them."
        ],
        "needs": ["prints"],
        "steps": [
          {"greet": {}},
          {"send": {
            "type": "execute", "operation": 1, "dispatch": 1, "attempt": 1, "kind": "$kind",
            "payload": "$prints"
          }},
          {"expect": {"type": "finished", "operation": 1, "dispatch": 1, "error": null}},
          {"send": {
            "type": "execute", "operation": 2, "dispatch": 2, "attempt": 1, "kind": "$kind",
            "payload": "$payload"
          }},
          {"expect": {"type": "finished", "operation": 2, "dispatch": 2}}
        ]
      }

      """#
    ),
    (
      "recall-executing",
      #"""
      {
        "title": "the recall of an executing operation is ignored",
        "section": "5",
        "paragraph": [
          "The answer is `returned` if it was prefetched. If it executes, or was answered",
          "already, the worker ignores the message."
        ],
        "needs": ["lasts"],
        "capabilities": ["prefetch", "recall"],
        "steps": [
          {"greet": {}},
          {"send": [
            {
              "type": "execute", "operation": 1, "dispatch": 1, "attempt": 1, "kind": "$kind",
              "payload": "$lasts"
            },
            {
              "type": "execute", "operation": 2, "dispatch": 2, "attempt": 1, "kind": "$kind",
              "payload": "$payload"
            }
          ]},
          {"expect": {"type": "executing", "operation": 1, "dispatch": 1}},
          {"send": [
            {"type": "recall", "operation": 1, "dispatch": 1},
            {"type": "recall", "operation": 2, "dispatch": 2}
          ]},
          {"expect": {"type": "returned", "operation": 2, "dispatch": 2}}
        ]
      }

      """#
    ),
    (
      "recall-prefetched",
      #"""
      {
        "title": "prefetched operations are given back while another one executes",
        "section": "5",
        "paragraph": [
          "The answer is `returned` if it was prefetched. If it executes, or was answered",
          "already, the worker ignores the message."
        ],
        "needs": ["lasts"],
        "capabilities": ["prefetch", "recall"],
        "steps": [
          {"greet": {}},
          {"send": [
            {
              "type": "execute", "operation": 1, "dispatch": 1, "attempt": 1, "kind": "$kind",
              "payload": "$lasts"
            },
            {
              "type": "execute", "operation": 2, "dispatch": 2, "attempt": 1, "kind": "$kind",
              "payload": "$payload"
            },
            {
              "type": "execute", "operation": 3, "dispatch": 3, "attempt": 1, "kind": "$kind",
              "payload": "$payload"
            }
          ]},
          {"expect": {"type": "executing", "operation": 1, "dispatch": 1}},
          {"send": {"type": "recall", "operation": 3, "dispatch": 3}},
          {
            "expect": {"type": "returned", "operation": 3, "dispatch": 3},
            "among": ["executing", "finished"]
          },
          {"send": {"type": "recall", "operation": 2, "dispatch": 2}},
          {
            "expect": {"type": "returned", "operation": 2, "dispatch": 2},
            "among": ["executing", "finished"]
          }
        ]
      }

      """#
    ),
    (
      "rule-asked",
      #"""
      {
        "title": "cancelled and returned come only where they were asked for",
        "section": "10",
        "paragraph": [
          "`cancelled` for an operation that was not cancelled and is within its timeout: an",
          "operation that stops by itself is answered with `finished` and an `error`."
        ],
        "watches": "asked"
      }

      """#
    ),
    (
      "rule-executing-first",
      #"""
      {
        "title": "executing comes before finished",
        "section": "4",
        "paragraph": [
          "`finished` never comes without it."
        ],
        "watches": "executingFirst"
      }

      """#
    ),
    (
      "rule-files",
      #"""
      {
        "title": "outputs are in files only where welcome allows it",
        "section": "8",
        "paragraph": [
          "Files may be used only after a `welcome` with `files` true, which a coordinator",
          "sends to workers that it started itself on its own machine, and whose descriptors it",
          "may open: not if their program can be executed, but not read."
        ],
        "watches": "files"
      }

      """#
    ),
    (
      "rule-greeting",
      #"""
      {
        "title": "hello comes first, and once",
        "section": "10",
        "paragraph": [
          "a `hello` that is not the first message, is a second one, offers no version that is",
          "spoken here, or names more than 4096 kinds;"
        ],
        "watches": "greeting"
      }

      """#
    ),
    (
      "rule-line-feed",
      #"""
      {
        "title": "each frame ends with a line feed",
        "section": "2",
        "paragraph": [
          "The body is one JSON object in UTF-8, followed by one line feed."
        ],
        "watches": "lineFeed"
      }

      """#
    ),
    (
      "rule-one-answer",
      #"""
      {
        "title": "no execute is answered twice",
        "section": "4",
        "paragraph": [
          "Every `execute` is answered **exactly once**, by `finished`, `cancelled` or",
          "`returned`."
        ],
        "watches": "answeredOnce"
      }

      """#
    ),
    (
      "rule-one-at-a-time",
      #"""
      {
        "title": "no operation begins while another one executes",
        "section": "4",
        "paragraph": [
          "Operations are executed in the order of their dispatch, one after the other: no",
          "`executing` while another operation executes."
        ],
        "watches": "oneAtATime"
      }

      """#
    ),
    (
      "rule-order",
      #"""
      {
        "title": "operations begin in the order of their dispatch",
        "section": "4",
        "paragraph": [
          "Operations are executed in the order of their dispatch, one after the other: no",
          "`executing` while another operation executes."
        ],
        "watches": "order"
      }

      """#
    ),
    (
      "rule-reports",
      #"""
      {
        "title": "reports of an operation come between its executing and its answer",
        "section": "4",
        "paragraph": [
          "`progress`, `log` and `output` come between an operation's `executing` and its",
          "answer."
        ],
        "watches": "place"
      }

      """#
    ),
    (
      "rule-validity",
      #"""
      {
        "title": "each message is JSON, with the fields that it must have",
        "section": "10",
        "paragraph": [
          "a message of a known type that lacks a required field, or has a field of another",
          "type than §5 and §6 say;"
        ],
        "watches": "validity"
      }

      """#
    ),
    (
      "sequence",
      #"""
      {
        "title": "operations are executed one after the other, an operation also again",
        "section": "1",
        "paragraph": [
          "A worker lives for many operations. It ends when its input ends (§7)."
        ],
        "steps": [
          {"greet": {}},
          {"send": {
            "type": "execute", "operation": 1, "dispatch": 1, "attempt": 1, "kind": "$kind",
            "payload": "$payload"
          }},
          {"expect": {"type": "finished", "operation": 1, "dispatch": 1}},
          {"send": {
            "type": "execute", "operation": 2, "dispatch": 2, "attempt": 1, "kind": "$kind",
            "payload": "$payload"
          }},
          {"expect": {"type": "finished", "operation": 2, "dispatch": 2}},
          {"send": {
            "type": "execute", "operation": 1, "dispatch": 3, "attempt": 2, "kind": "$kind",
            "payload": "$payload"
          }},
          {"expect": {"type": "finished", "operation": 1, "dispatch": 3}}
        ]
      }

      """#
    ),
    (
      "several-frames",
      #"""
      {
        "title": "several frames in one write are understood",
        "section": "2",
        "paragraph": [
          "A writer should hand a whole frame, better several, to the system in one call, and",
          "flush."
        ],
        "steps": [
          {"expect": {"type": "hello"}},
          {"send": [
            {"type": "welcome", "version": 1, "worker": 1, "frameLimit": 67174400, "files": false},
            {"type": "release", "operation": 7, "dispatch": 7},
            {
              "type": "execute", "operation": 1, "dispatch": 1, "attempt": 1, "kind": "$kind",
              "payload": "$payload"
            },
            {"type": "recall", "operation": 8, "dispatch": 8}
          ]},
          {"expect": {"type": "finished", "operation": 1, "dispatch": 1}},
          {"send": {
            "type": "execute", "operation": 2, "dispatch": 2, "attempt": 1, "kind": "$kind",
            "payload": "$payload"
          }},
          {"expect": {"type": "finished", "operation": 2, "dispatch": 2}}
        ]
      }

      """#
    ),
    (
      "stop",
      #"""
      {
        "title": "lives on when it was stopped and continued",
        "section": "5",
        "paragraph": [
          "From here on the lease ends as if a `renew` of now had been answered, and the worker sends a",
          "`renew`."
        ],
        "needs": ["succeeds"],
        "capabilities": ["stop", "lease"],
        "steps": [
          {"greet": {"lease": 5000}},
          {"send": {"type": "stop", "lease": 60000}},
          {"send": {"type": "continue"}},
          {"expect": {"type": "renew", "number": "$any"}},
          {"send": {
            "type": "execute", "operation": 1, "dispatch": 1, "attempt": 1, "kind": "$kind",
            "payload": "$succeeds"
          }},
          {"expect": {"type": "finished", "operation": 1, "dispatch": 1}}
        ]
      }

      """#
    ),
    (
      "succeeds",
      #"""
      {
        "title": "an operation succeeds",
        "section": "6",
        "paragraph": [
          "`finished` — the operation has ended. It failed if `error` is present."
        ],
        "needs": ["succeeds"],
        "steps": [
          {"greet": {}},
          {"send": {
            "type": "execute", "operation": 1, "dispatch": 1, "attempt": 1, "kind": "$kind",
            "payload": "$succeeds"
          }},
          {"expect": {"type": "finished", "operation": 1, "dispatch": 1, "error": null}}
        ]
      }

      """#
    ),
    (
      "tail",
      #"""
      {
        "title": "says what an executing operation has written",
        "section": "5",
        "paragraph": [
          "The answer is `written`, soon, if the operation executes and its `outputs` are",
          "`kept`; otherwise the worker ignores the message."
        ],
        "needs": ["lasts"],
        "capabilities": ["tail"],
        "steps": [
          {"greet": {}},
          {"send": {
            "type": "execute", "operation": 1, "dispatch": 1, "attempt": 1, "kind": "$kind",
            "payload": "$lasts"
          }},
          {"expect": {"type": "executing", "operation": 1, "dispatch": 1}},
          {"send": {"type": "tail", "operation": 1, "dispatch": 1, "bytes": 100}},
          {"expect": {"type": "written", "operation": 1, "dispatch": 1}, "among": ["finished"]}
        ]
      }

      """#
    ),
    (
      "teardown",
      #"""
      {
        "title": "takes the signals of a cancellation itself, and survives them",
        "section": "7",
        "paragraph": [
          "it takes every step of `cancel` itself, whenever the operation began, and survives",
          "the steps; needs `cancel`"
        ],
        "needs": ["lasts"],
        "capabilities": ["cancel", "teardown"],
        "steps": [
          {"greet": {}},
          {"send": {
            "type": "execute", "operation": 1, "dispatch": 1, "attempt": 1, "kind": "$kind",
            "payload": "$lasts"
          }},
          {"expect": {"type": "executing", "operation": 1, "dispatch": 1}},
          {"send": {
            "type": "cancel", "operation": 1, "dispatch": 1,
            "steps": [
              {"step": "signal", "signal": 15, "grace": 1000},
              {"step": "signal", "signal": 9}
            ]
          }},
          {"expect": [
            {"type": "cancelled", "operation": 1, "dispatch": 1},
            {"type": "finished", "operation": 1, "dispatch": 1}
          ]},
          {"send": {
            "type": "execute", "operation": 2, "dispatch": 2, "attempt": 1, "kind": "$kind",
            "payload": "$payload"
          }},
          {"expect": {"type": "finished", "operation": 2, "dispatch": 2}}
        ]
      }

      """#
    ),
    (
      "timeout",
      #"""
      {
        "title": "ends a command itself when its time is over",
        "section": "7",
        "paragraph": [
          "it ends a command itself when its `timeout` is over; needs `teardown`"
        ],
        "needs": ["lasts"],
        "capabilities": ["timeout"],
        "steps": [
          {"greet": {}},
          {"send": {
            "type": "execute", "operation": 1, "dispatch": 1, "attempt": 1, "kind": "$kind",
            "payload": "$lasts",
            "timeout": {
              "after": 100000,
              "steps": [
                {"step": "signal", "signal": 15, "grace": 1000},
                {"step": "signal", "signal": 9}
              ]
            }
          }},
          {"expect": {
            "type": "finished", "operation": 1, "dispatch": 1, "error": {"cause": "timeout"}
          }},
          {"send": {
            "type": "execute", "operation": 2, "dispatch": 2, "attempt": 1, "kind": "$kind",
            "payload": "$payload"
          }},
          {"expect": {"type": "finished", "operation": 2, "dispatch": 2}}
        ]
      }

      """#
    ),
    (
      "too-long",
      #"""
      {
        "title": "a length over the limit ends the worker, with a reason",
        "section": "10",
        "paragraph": [
          "A worker that receives a frame like the first four ends, otherwise than with status",
          "0, and says why on its standard error."
        ],
        "steps": [
          {"greet": {}},
          {"sendHex": "7f ff ff ff"},
          {"expectExit": "failure"},
          {"expectStandardError": ""}
        ]
      }

      """#
    ),
    (
      "unknown-fields",
      #"""
      {
        "title": "unknown fields are ignored, whatever their values",
        "section": "3",
        "paragraph": [
          "**Unknown fields** are ignored, whatever their values. So is a field of this",
          "document in a message for which it is not defined."
        ],
        "steps": [
          {"greet": {"motto": ["none"], "number": "x"}},
          {"send": {
            "type": "execute", "operation": 1, "dispatch": 1, "attempt": 1, "kind": "$kind",
            "payload": "$payload", "motto": {"a": [1, {"b": null}]}, "number": -1, "steps": "none",
            "bytes": [true]
          }},
          {"expect": {"type": "finished", "operation": 1, "dispatch": 1}}
        ]
      }

      """#
    ),
    (
      "unknown-kind",
      #"""
      {
        "title": "a kind that it does not serve fails, and the worker goes on",
        "section": "10",
        "paragraph": [
          "An `execute` of a kind that it does not serve is no violation: it answers",
          "`executing` and `finished` with an `error`."
        ],
        "steps": [
          {"greet": {}},
          {"send": {
            "type": "execute", "operation": 1, "dispatch": 1, "attempt": 1, "kind": "no such kind",
            "payload": "$payload"
          }},
          {"expect": {"type": "finished", "operation": 1, "dispatch": 1, "error": "$any"}},
          {"send": {
            "type": "execute", "operation": 2, "dispatch": 2, "attempt": 1, "kind": "$kind",
            "payload": "$payload"
          }},
          {"expect": {"type": "finished", "operation": 2, "dispatch": 2}}
        ]
      }

      """#
    ),
    (
      "unknown-type",
      #"""
      {
        "title": "a message of an unknown type is ignored",
        "section": "3",
        "paragraph": [
          "**Unknown message types** are reported by the coordinator, ignored by the worker,",
          "and not fatal; but the first message must be `hello`."
        ],
        "steps": [
          {"greet": {}},
          {"send": {
            "type": "no such type", "operation": 1, "dispatch": 1, "values": [1, {"a": null}]
          }},
          {"send": {
            "type": "execute", "operation": 1, "dispatch": 1, "attempt": 1, "kind": "$kind",
            "payload": "$payload"
          }},
          {"expect": {"type": "finished", "operation": 1, "dispatch": 1}}
        ]
      }

      """#
    ),
    (
      "window",
      #"""
      {
        "title": "waits for a grant when its window is used up",
        "section": "8",
        "paragraph": [
          "It sends a",
          "report only while what it was given, with each `grant`, is above what it has counted; otherwise the",
          "operation waits."
        ],
        "needs": ["prints"],
        "capabilities": ["window"],
        "steps": [
          {"greet": {"window": 0}},
          {"send": {
            "type": "execute", "operation": 1, "dispatch": 1, "attempt": 1, "kind": "$kind",
            "payload": "$prints", "outputs": "live"
          }},
          {"expect": {"type": "executing", "operation": 1, "dispatch": 1}, "among": ["output", "log"]},
          {"send": {"type": "grant", "bytes": 1048576}},
          {"expect": {"type": "finished", "operation": 1, "dispatch": 1}}
        ]
      }

      """#
    ),
  ]
}
