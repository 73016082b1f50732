#!/bin/sh
# The result of census.jsonl by two plain pipelines, to compare with. Run it from the root.
export LC_ALL=C

echo 'Modules, by lines that are not empty'
grep -r '[^[:space:]]' Sources --include='*.swift' |
  awk -F / '{ lines[$2]++ }
    END { for (module in lines) print lines[module], module }' |
  sort -k1,1nr -k2,2 |
  awk 'NR == 1 { most = $1 }
    { bar = ""; for (i = 0; i < $1 * 40 / most; i++) bar = bar "█"
      printf "%-28s %5d lines  %s\n", $2, $1, bar }'

echo
echo 'Types, by uses, and in how many modules'
grep -r . Sources --include='*.swift' |
  awk '{ split($0, path, "/"); sub("[^:]*:", ""); sub("//.*", ""); count = split($0, words, /[^A-Za-z0-9_]+/)
      for (i = 1; i <= count; i++) if (words[i] ~ /^[A-Z][a-z]/) print words[i], path[2] }' |
  sort | uniq -c |
  awk '{ uses[$2] += $1; modules[$2]++ }
    END { for (name in uses) print uses[name], name, modules[name] }' |
  sort -k1,1nr -k2,2 | head -n 20 |
  awk 'NR == 1 { most = $1 }
    { bar = ""; for (i = 0; i < $1 * 40 / most; i++) bar = bar "█"
      printf "%-28s %5d in %2d  %s\n", $2, $1, $3, bar }'
