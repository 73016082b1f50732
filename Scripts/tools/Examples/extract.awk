# The examples of the files that it is given, as `extract` describes them; `side` is ours or foundation.
function begin_body(line, blocks) {
  # What blocks its thread is not for functions that suspend.
  print "  static func example" ++count "() " (side == "ours" && !blocks ? "async " : "") "throws {"
  print "#sourceLocation(file: \"" FILENAME "\", line: " line ")"
}
function end_body() { print "#sourceLocation()"; print "  }" }
FNR == 1 {
  if (page) print "}"
  print "enum Page" ++page " {"
  isFoundation = 0; inBlock = 0; isTable = 0
}
{
  text = $0
  isComment = FILENAME ~ /\.swift$/
  if (isComment && text !~ /^ *\/\/\/ ?/) { inBlock = 0; next }
  sub(/^ *\/\/\/ ?/, "", text)
}
text ~ /^```swift/ && !inBlock { inBlock = 1; isFirst = 1; next }
text ~ /^```/ && inBlock {
  if (isOpen) end_body()
  else if (isType) print "#sourceLocation()"
  inBlock = isOpen = isType = isFoundation = 0
  next
}
inBlock {
  if ((side == "foundation") != isFoundation) next
  if (isFirst && text ~ /^((public|final) )*(struct|class|enum|extension) /) {
    isType = 1
    print "#sourceLocation(file: \"" FILENAME "\", line: " FNR ")"
  } else if (isFirst) { isOpen = 1; begin_body(FNR) }
  else if (isType && text ~ /^[a-z]/ && text !~ /^((public|final) )*(struct|class|enum) /) {
    print "#sourceLocation()"
    isType = 0; isOpen = 1; begin_body(FNR)
  }
  isFirst = 0
  print text
  next
}
text ~ /^With Foundation:/ { isFoundation = 1 }
text ~ /^\| with Foundation \| here \|$/ { isTable = 1; next }
text !~ /^\|/ { isTable = 0 }
isTable && text ~ /^\| `.*` \| `.*` \|$/ {
  split(text, cells, /` \| `/)
  cell = side == "foundation" ? cells[1] : cells[2]
  sub(/^\| `/, "", cell); sub(/` \|$/, "", cell)
  begin_body(FNR, cell ~ /waitUntil/)
  print (cell ~ / = / ? "" : "_ = ") cell
  end_body()
}
END { if (page) print "}" }
