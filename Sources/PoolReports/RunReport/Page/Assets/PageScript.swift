/// The script of the page: draws the timeline, finds operations, and shows their details.
enum PageScript {
  static let text = #"""
    'use strict';
    (() => {
    const $ = id => document.getElementById(id);
    const D = JSON.parse($('data').textContent);
    document.documentElement.classList.add('scripts');

    // ---- The data -----------------------------------------------------------------------------

    const ENDINGS = ['succeeded', 'failed', 'cancelled', 'timed out', 'lost', 'skipped', 'unfinished'];
    const BAD = [0, 1, 0, 1, 1, 0, 0];
    const N = D.group.length, A = D.start.length, LANES = Math.max(D.lanes, D.idle.length, 1);

    function sums(list) {
      const out = new Float64Array(list.length);
      for (let i = 0, sum = 0; i < list.length; i++) out[i] = sum += list[i];
      return out;
    }

    function unpack(text) {
      let last = '';
      return text.split('\n').map(line => {
        return last = last.slice(0, line.charCodeAt(0) - 35) + line.slice(1);
      });
    }

    const ids = unpack(D.ids), commands = unpack(D.commands);
    const ready = sums(D.ready), start = sums(D.start), first = new Uint32Array(N + 1);
    const opOf = new Uint32Array(A), stop = new Float64Array(A), executed = new Float64Array(N);
    const busy = new Float64Array(N).fill(-1);
    for (let op = 0, a = 0; op < N; op++) {
      first[op] = a;
      for (const end = a + D.attempts[op]; a < end; a++) {
        opOf[a] = op;
        stop[a] = start[a] + D.duration[a];
        executed[op] += D.duration[a];
        if (D.processor[a] >= 0) busy[op] = Math.max(busy[op], 0) + D.processor[a];
      }
      first[op + 1] = a;
    }
    const isAgain = a => a + 1 < first[opOf[a] + 1];
    const laneOf = a => D.lane[D.worker[a]] || 0;
    const startOf = op => D.attempts[op] ? start[first[op]] : -1;
    const waited = op => D.attempts[op] && ready[op] >= 0 ? Math.max(startOf(op) - ready[op], 0)
      : -1;

    // The attempts of each lane by their start, and the latest end among each and those before it.
    const lanes = Array.from({length: LANES}, () => ({list: [], latest: null, idle: []}));
    for (const a of Uint32Array.from(start.keys()).sort((x, y) => start[x] - start[y])) {
      lanes[Math.min(laneOf(a), LANES - 1)].list.push(a);
    }
    for (const lane of lanes) {
      let latest = 0;
      lane.latest = Float64Array.from(lane.list, a => latest = Math.max(latest, stop[a]));
    }
    for (let l = 0, i = 0; l < D.idle.length; l++) {
      for (let n = D.idle[l], last = 0; n > 0; n--, i++) {
        const from = last + D.idleGap[i];
        last = from + D.idleTime[i];
        lanes[l].idle.push({from, to: last, use: D.idleUse[i]});
      }
    }
    const chainReason = new Map();
    {
      const ops = sums(D.chain);
      ops.forEach((op, i) => chainReason.set(first[op] + D.chainAttempt[i], D.chainReason[i]));
    }

    // The first place in a sorted list whose value is larger.
    function after(list, value, of) {
      let low = 0, high = list.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (of(list[middle], middle) > value) high = middle; else low = middle + 1;
      }
      return low;
    }

    // ---- Texts --------------------------------------------------------------------------------

    function time(us) {
      if (us <= 0) return '0 s';
      if (us < 9950) return (us / 1e3).toFixed(1) + ' ms';
      if (us < 99500) return Math.round(us / 1e3) + ' ms';
      if (us < 9995e3) return (us / 1e6).toFixed(2) + ' s';
      if (us < 5995e4) return (us / 1e6).toFixed(1) + ' s';
      const s = Math.round(us / 1e6), two = n => String(n).padStart(2, '0');
      return s < 3600 ? `${Math.floor(s / 60)}:${two(s % 60)} min`
        : `${Math.floor(s / 3600)}:${two(Math.floor(s / 60) % 60)}:${two(s % 60)} h`;
    }

    function make(tag, text, attributes) {
      const node = document.createElement(tag);
      if (text !== undefined) node.textContent = text;
      for (const name in attributes) node.setAttribute(name, attributes[name]);
      return node;
    }

    // ---- State --------------------------------------------------------------------------------

    const view = {from: 0, to: D.end};
    let picked = -1, mode = 'group', query = '', onlyChain = false, match = null, failures = null;

    function readState() {
      const p = new URLSearchParams(location.hash.slice(1));
      if (!location.hash.includes('=')) return;
      if (p.has('z')) {
        const [from, to] = p.get('z').split('-').map(Number);
        if (from >= 0 && to > from) look(from, to);
      }
      if (['group', 'outcome', 'worker'].includes(p.get('c'))) {
        mode = $('colour').value = p.get('c');
      }
      if (p.has('q')) query = $('find').value = p.get('q');
      if (p.has('chain')) onlyChain = $('chain').checked = true;
      search();
      const op = p.has('op') ? Number(p.get('op')) : -1;
      if (Number.isInteger(op) && op >= 0 && op < N) pick(op, !p.has('z'), p.size === 1); else refresh();
    }

    let saving = 0;
    function save() {
      clearTimeout(saving);
      saving = setTimeout(() => {
        const p = new URLSearchParams();
        if (picked >= 0) p.set('op', picked);
        if (view.from > 0 || view.to < D.end) {
          p.set('z', `${Math.round(view.from)}-${Math.round(view.to)}`);
        }
        if (mode !== 'group') p.set('c', mode);
        if (query) p.set('q', query);
        if (onlyChain) p.set('chain', '1');
        const text = p.toString();
        if (text || location.hash.includes('=')) history.replaceState(null, '', '#' + text);
      }, 250);
    }

    function look(from, to) {
      const span = Math.min(Math.max(to - from, 20), D.end);
      view.from = Math.min(Math.max(from, 0), D.end - span);
      view.to = view.from + span;
      refresh();
    }

    function zoom(factor, at = (view.from + view.to) / 2) {
      look(at - (at - view.from) * factor, at + (view.to - at) * factor);
    }

    const move = share => look(view.from + (view.to - view.from) * share,
      view.to + (view.to - view.from) * share);

    // ---- Colours ------------------------------------------------------------------------------

    // Classes of colour: twelve of groups or workers, outcomes, what is dimmed, and idle reasons.
    const GOOD = 12, FAIL = 13, AGAIN = 14, OPEN = 15, DIM = 16, IDLE = 17;
    const names = [...Array(12).keys()].map(i => '--c' + i).concat(
      ['--succeeded', '--unsuccessful', '--repeated', '--unfinished', '--dim'],
      D.useStyles.map(style => '--' + style));
    const K = names.length;
    const rank = new Uint8Array(D.groups.length).fill(11);
    D.byTime.slice(0, 11).forEach((group, i) => rank[group] = i);
    const kind = new Uint8Array(A);
    let colours = [], pixels = new Uint32Array(K), inks = [], paper = '', ink = '', muted = '';

    function readColours() {
      const style = getComputedStyle(document.documentElement);
      const of = name => style.getPropertyValue(name).trim();
      colours = names.map(of);
      [paper, ink, muted] = [of('--bg'), of('--fg'), of('--muted')];
      const parts = colours.map(c => c.length === 4
        ? [1, 2, 3].map(i => parseInt(c[i] + c[i], 16))
        : [1, 3, 5].map(i => parseInt(c.slice(i, i + 2), 16)));
      pixels = Uint32Array.from(parts, ([r, g, b]) => (255 << 24 | b << 16 | g << 8 | r) >>> 0);
      inks = parts.map(c => {
        const [r, g, b] = c.map(v => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
        // Where both have the same contrast, it is 4.58.
        return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.179 ? '#000' : '#fff';
      });
    }

    function kindOf(a) {
      const op = opOf[a], result = D.result[a];
      if (match && !match[op] || onlyChain && !chainReason.has(a)) return DIM;
      if (isAgain(a)) return AGAIN;
      if (BAD[result]) return FAIL;
      if (result !== 0) return OPEN;
      return mode === 'group' ? rank[D.group[op]] : mode === 'worker' ? D.worker[a] % 11 : GOOD;
    }

    function recolour() {
      for (let a = 0; a < A; a++) kind[a] = kindOf(a);
      showLegend();
    }

    function showLegend() {
      const seen = new Uint8Array(K), items = [];
      for (let a = 0; a < A; a++) seen[kind[a]] = 1;
      const add = (k, text) => {
        const item = make('li'), mark = make('i');
        mark.style.background = colours[k];
        item.append(mark, make('span', text));
        items.push(item);
      };
      if (mode === 'group') {
        D.byTime.slice(0, 11).forEach((group, i) => seen[i] && add(i, D.groups[group]));
        if (seen[11]) add(11, `${D.groups.length - 11} more groups`);
      }
      if (mode === 'worker' && seen.slice(0, 11).some(Boolean)) {
        D.workerID.slice(0, 11).forEach((id, i) => seen[i] && add(i, 'worker ' + id));
      }
      if (seen[GOOD]) add(GOOD, 'succeeded');
      if (seen[FAIL]) add(FAIL, 'did not succeed');
      if (seen[AGAIN]) add(AGAIN, 'repeated');
      if (seen[OPEN]) add(OPEN, 'cancelled or unfinished');
      if (seen[DIM]) add(DIM, 'other operations');
      D.uses.forEach((use, i) => add(IDLE + i, 'idle: ' + use));
      $('legend').replaceChildren(...items);
    }

    // ---- The timeline -------------------------------------------------------------------------

    const canvas = $('chart'), pen = canvas.getContext('2d');
    const AXIS = 24, GAP = 3;
    const geometry = {};
    let cover = new Float32Array(0), hatch = null;

    function measure() {
      const wide = canvas.parentElement.clientWidth, g = geometry;
      g.scale = Math.min(window.devicePixelRatio || 1, 2);
      g.left = wide < 600 ? 72 : 104;
      g.row = LANES <= 8 ? 28 : LANES <= 24 ? 18 : LANES <= 64 ? 10 : 6;
      g.height = AXIS + LANES * (g.row + GAP);
      // Pictures have whole pixels: the strip of a lane begins and ends with one.
      g.strip = Math.max(Math.floor((wide - g.left) * g.scale), 10);
      g.wide = g.strip / g.scale;
      const [w, h] = [Math.round(wide * g.scale), Math.round(g.height * g.scale)];
      if (canvas.width !== w || canvas.height !== h) {
        [canvas.width, canvas.height] = [w, h];
        canvas.style.height = g.height + 'px';
      }
    }

    const xOf = t => geometry.left + (t - view.from) / (view.to - view.from) * geometry.wide;
    const timeAt = x => view.from + (x - geometry.left) / geometry.wide * (view.to - view.from);

    // Adds a span to what covers each column of pixels.
    function addSpan(from, to, k) {
      const scale = geometry.strip / (view.to - view.from);
      const low = Math.max((from - view.from) * scale, 0);
      const high = Math.min((to - view.from) * scale, geometry.strip - 1e-4);
      if (high <= low) return;
      const i = low | 0, j = high | 0;
      if (i === j) return void (cover[i * K + k] += high - low);
      cover[i * K + k] += i + 1 - low;
      for (let x = i + 1; x < j; x++) cover[x * K + k] += 1;
      cover[j * K + k] += high - j;
    }

    // Fills the columns of a lane's picture by the share of what happened in each.
    function fillStrip(picture, height, kinds) {
      const out = new Uint32Array(picture.data.buffer), wide = geometry.strip;
      for (let x = 0; x < wide; x++) {
        let sum = 0, total = 0, y = height;
        for (const k of kinds) total += cover[x * K + k];
        const share = height / Math.max(total, 1);
        for (const k of kinds) {
          const part = cover[x * K + k];
          if (!part) continue;
          sum += part;
          const top = height - Math.round(sum * share);
          while (y > top) out[--y * wide + x] = pixels[k];
        }
      }
    }

    let strip = null;
    function emptyPicture(wide, height) {
      if (!strip || strip.width !== wide || strip.height !== height) {
        strip = pen.createImageData(wide, height);
      }
      strip.data.fill(0);
      return strip;
    }

    function drawLane(row) {
      const lane = lanes[row], g = geometry, y = AXIS + row * (g.row + GAP), kinds = new Set();
      const height = Math.round(g.row * g.scale), large = [];
      const least = 3 * (view.to - view.from) / g.wide;
      cover.fill(0);
      for (let i = after(lane.latest, view.from, v => v); i < lane.list.length; i++) {
        const a = lane.list[i];
        if (start[a] >= view.to) break;
        kinds.add(kind[a]);
        addSpan(start[a], stop[a], kind[a]);
        if (stop[a] - start[a] > least) large.push(a);
      }
      for (let i = after(lane.idle, view.from, span => span.to); i < lane.idle.length; i++) {
        const span = lane.idle[i];
        if (span.from >= view.to) break;
        kinds.add(IDLE + span.use);
        addSpan(span.from, span.to, IDLE + span.use);
      }
      const picture = emptyPicture(g.strip, height);
      fillStrip(picture, height, [...kinds].sort((x, y) => x - y));
      pen.putImageData(picture, Math.round(g.left * g.scale), Math.round(y * g.scale));
      for (const a of large) drawLarge(a, y);
      if (g.row >= 10 || row % 4 === 0) {
        pen.fillStyle = muted;
        pen.textAlign = 'right';
        pen.fillText('slot ' + (row + 1), g.left - 8, y + g.row / 2);
      }
    }

    function drawLarge(a, y) {
      const g = geometry, x = Math.max(xOf(start[a]), g.left);
      const right = Math.min(xOf(stop[a]), g.left + g.wide), width = right - x, k = kind[a];
      pen.fillStyle = paper;
      pen.fillRect(right - 0.7, y, 0.7, g.row);
      if ((k === FAIL || k === AGAIN) && width > 5) {
        pen.fillStyle = hatch;
        pen.fillRect(x, y, width - 0.7, g.row);
      }
      if (width < 40 || g.row < 14) return;
      const label = fitting(ids[opOf[a]], width - 10);
      if (!label) return;
      if (k === FAIL || k === AGAIN) {
        pen.fillStyle = colours[k];
        pen.fillRect(x + 3, y + 5, pen.measureText(label).width + 6, g.row - 10);
      }
      pen.fillStyle = inks[k];
      pen.textAlign = 'left';
      pen.fillText(label, x + 6, y + g.row / 2);
    }

    // The end of a name says more than its beginning.
    function fitting(text, width) {
      for (let letters = Math.floor(width / 6); letters >= 4; letters--) {
        const label = text.length <= letters ? text : '…' + text.slice(1 - letters);
        if (pen.measureText(label).width <= width) return label;
      }
      return '';
    }

    function drawAxis() {
      const g = geometry, span = view.to - view.from, most = Math.max(Math.floor(g.wide / 110), 2);
      let step = 10 ** Math.floor(Math.log10(span / most));
      for (const factor of [1, 2, 5, 10]) {
        if (span / (step * factor) <= most) { step *= factor; break; }
      }
      const digits = Math.max(0, 6 - Math.floor(Math.log10(step) + 1e-9));
      pen.textAlign = 'left';
      for (let t = Math.ceil(view.from / step) * step; t <= view.to; t += step) {
        const x = xOf(t);
        pen.fillStyle = muted;
        pen.fillRect(x, AXIS - 6, 1, 6);
        if (x < g.left + g.wide - 60) pen.fillText((t / 1e6).toFixed(digits) + ' s', x + 4, AXIS / 2);
      }
    }

    function drawMarks() {
      const g = geometry;
      D.gone.forEach((t, worker) => {
        if (t < view.from || t > view.to) return;
        const x = xOf(t), y = AXIS + D.lane[worker] * (g.row + GAP);
        pen.fillStyle = colours[FAIL];
        pen.beginPath();
        pen.moveTo(x - 5, y - 3);
        pen.lineTo(x + 5, y - 3);
        pen.lineTo(x, y + 5);
        pen.fill();
      });
      if (picked < 0) return;
      pen.strokeStyle = ink;
      pen.lineWidth = 2;
      for (let a = first[picked]; a < first[picked + 1]; a++) {
        const x = Math.max(xOf(start[a]), g.left), right = Math.min(xOf(stop[a]), g.left + g.wide);
        const y = AXIS + laneOf(a) * (g.row + GAP);
        if (right >= g.left && x <= g.left + g.wide) {
          pen.strokeRect(x - 1, y - 1, Math.max(right - x, 2) + 2, g.row + 2);
        }
      }
    }

    function draw() {
      measure();
      const g = geometry;
      if (cover.length !== g.strip * K) cover = new Float32Array(g.strip * K);
      pen.setTransform(g.scale, 0, 0, g.scale, 0, 0);
      pen.fillStyle = paper;
      pen.fillRect(0, 0, canvas.width, canvas.height);
      pen.font = '12px system-ui, "DejaVu Sans", sans-serif';
      pen.textBaseline = 'middle';
      drawAxis();
      for (let row = 0; row < LANES; row++) drawLane(row);
      drawMarks();
      placeBrush();
    }

    let drawing = 0;
    function refresh() {
      if (!drawing) drawing = requestAnimationFrame(() => { drawing = 0; draw(); });
      save();
    }

    function makeHatch() {
      const tile = make('canvas');
      tile.width = tile.height = 6;
      const p = tile.getContext('2d');
      p.strokeStyle = '#0006';
      p.lineWidth = 1.6;
      p.beginPath();
      for (const x of [-6, 0, 6]) { p.moveTo(x - 1, 7); p.lineTo(x + 7, -1); }
      p.stroke();
      hatch = pen.createPattern(tile, 'repeat');
    }

    // ---- Pointer ------------------------------------------------------------------------------

    function hit(x, y) {
      const g = geometry, row = Math.floor((y - AXIS) / (g.row + GAP)), lane = lanes[row];
      if (!lane || x < g.left || x > g.left + g.wide) return {};
      const t = timeAt(x), reach = 2 * (view.to - view.from) / g.wide;
      const end = after(lane.list, t + reach, a => start[a]);
      let best = -1, count = 0;
      for (let i = end - 1; i >= 0 && lane.latest[i] >= t - reach; i--) {
        const a = lane.list[i];
        if (stop[a] < t - reach) continue;
        count++;
        if (best < 0 || start[a] <= t && t <= stop[a]) best = a;
        if (count > 999) break;
      }
      const inside = best >= 0 && start[best] <= t && t <= stop[best];
      const span = lane.idle[after(lane.idle, t, s => s.to)];
      const idle = !inside && span && span.from <= t ? span : null;
      return {attempt: idle && idle.to - idle.from > reach ? -1 : best, idle, count};
    }

    function describe({attempt = -1, idle, count}) {
      if (attempt >= 0) {
        const op = opOf[attempt], more = count > 1 ? ` (and ${count - 1} more here)` : '';
        const end = isAgain(attempt) ? 'repeated' : ENDINGS[D.result[attempt]];
        return `${ids[op]}${more}\n${D.groups[D.group[op]]}, ${end}, ${time(D.duration[attempt])} `
          + `from ${time(start[attempt])}`;
      }
      return idle ? `idle for ${time(idle.to - idle.from)}: ${D.uses[idle.use]}` : '';
    }

    function showTip(event) {
      const box = canvas.getBoundingClientRect(), tip = $('tip');
      const text = describe(hit(event.clientX - box.left, event.clientY - box.top));
      tip.hidden = !text;
      if (!text) return;
      tip.replaceChildren(...text.split('\n').map(line => make('div', line)));
      const left = Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8);
      const below = event.clientY + 18 + tip.offsetHeight < innerHeight;
      tip.style.left = Math.max(left, 4) + 'px';
      tip.style.top = event.clientY + (below ? 18 : -12 - tip.offsetHeight) + 'px';
    }

    function listen() {
      const pointers = new Map();
      let moved = 0, distance = 0;
      const apart = () => {
        const [one, other] = [...pointers.values()];
        return Math.abs(one - other);
      };
      canvas.addEventListener('pointerdown', event => {
        pointers.set(event.pointerId, event.clientX);
        canvas.setPointerCapture(event.pointerId);
        moved = 0;
        if (pointers.size === 2) distance = apart();
      });
      canvas.addEventListener('pointermove', event => {
        if (!pointers.has(event.pointerId)) return showTip(event);
        const change = event.clientX - pointers.get(event.pointerId);
        pointers.set(event.pointerId, event.clientX);
        moved += Math.abs(change);
        if (pointers.size === 2) {
          if (distance > 0 && apart() > 0) zoom(distance / apart());
          distance = apart();
        } else if (moved > 4) {
          move(-change / geometry.wide);
        }
      });
      canvas.addEventListener('pointerup', event => {
        pointers.delete(event.pointerId);
        const box = canvas.getBoundingClientRect();
        const {attempt = -1} = hit(event.clientX - box.left, event.clientY - box.top);
        if (moved <= 4 && attempt >= 0) pick(opOf[attempt], false);
      });
      canvas.addEventListener('pointercancel', event => pointers.delete(event.pointerId));
      canvas.addEventListener('pointerleave', () => $('tip').hidden = true);
      canvas.addEventListener('wheel', event => {
        if (event.ctrlKey || event.metaKey) {
          event.preventDefault();
          const x = event.clientX - canvas.getBoundingClientRect().left;
          zoom(Math.exp(Math.max(-60, Math.min(60, event.deltaY)) / 150), timeAt(x));
        } else if (event.deltaX || event.shiftKey) {
          event.preventDefault();
          move((event.deltaX || event.deltaY) / geometry.wide);
        }
      }, {passive: false});
    }

    // The part of the curves that the timeline shows.
    function curveBox() {
      const box = document.querySelector('.curve svg').getBoundingClientRect();
      return {left: box.left, width: Math.max(box.width, 1)};
    }

    function placeBrush() {
      const brush = $('brush'), box = curveBox(), left = $('curves').getBoundingClientRect().left;
      brush.style.left = box.left - left + view.from / D.end * box.width - 1 + 'px';
      brush.style.width = Math.max((view.to - view.from) / D.end * box.width, 4) + 2 + 'px';
    }

    function listenToCurves() {
      let from = -1;
      const at = event => {
        const box = curveBox();
        return Math.min(Math.max((event.clientX - box.left) / box.width, 0), 1) * D.end;
      };
      const curves = $('curves');
      curves.addEventListener('pointerdown', event => {
        from = at(event);
        curves.setPointerCapture(event.pointerId);
      });
      curves.addEventListener('pointermove', event => {
        if (from < 0) return;
        const to = at(event);
        if (Math.abs(to - from) > D.end / 200) look(Math.min(from, to), Math.max(from, to));
      });
      curves.addEventListener('pointerup', event => {
        const to = at(event), half = (view.to - view.from) / 2;
        if (Math.abs(to - from) <= D.end / 200) look(to - half, to + half);
        from = -1;
      });
    }

    // ---- Finding ------------------------------------------------------------------------------

    let hay = null;
    function tests(text) {
      return text.toLowerCase().split(/\s+/).filter(Boolean).map(word => {
        const limit = /^([<>])(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(word);
        if (limit) {
          const us = limit[2] * {ms: 1e3, s: 1e6, m: 6e7, h: 36e8}[limit[3] || 's'];
          return limit[1] === '>' ? op => executed[op] > us : op => executed[op] < us;
        }
        const [key, value] = word.split(/:(.*)/s);
        if (key === 'group' && value) {
          const fits = D.groups.map(name => name.toLowerCase().includes(value));
          return op => fits[D.group[op]];
        }
        if (key === 'outcome' && value) {
          const fits = ENDINGS.map(name => name.replace(' ', '').startsWith(value));
          return op => fits[D.ending[op]] || value === 'repeated' && D.attempts[op] > 1;
        }
        hay ||= ids.map((id, op) => (id + '\n' + commands[op]).toLowerCase());
        return op => hay[op].includes(word);
      });
    }

    function search() {
      const all = tests(query);
      match = null;
      let count = 0;
      if (all.length) {
        match = new Uint8Array(N);
        for (let op = 0; op < N; op++) count += match[op] = all.every(test => test(op)) ? 1 : 0;
      }
      $('found').textContent = match ? `${count} of ${N}` : '';
      recolour();
      order();
    }

    // ---- Choosing -----------------------------------------------------------------------------

    function pick(op, reveal, scroll) {
      picked = op;
      if (reveal && D.attempts[op]) {
        const from = startOf(op), to = stop[first[op + 1] - 1], span = view.to - view.from;
        const wanted = Math.max(to - from, D.end / 1e6);
        const isThin = wanted < span / 200, isOut = from < view.from || to > view.to;
        if (isThin || isOut) {
          const half = (isThin ? wanted * 24 : Math.max(span, wanted * 1.4)) / 2;
          look((from + to) / 2 - half, (from + to) / 2 + half);
        }
      }
      showPanel();
      showRows();
      refresh();
      if (scroll) $('stage').scrollIntoView({block: 'nearest'});
    }

    function nextOf(list) {
      const next = list.find(op => op > picked);
      if (list.length) pick(next === undefined ? list[0] : next, true, true);
    }

    function nextFailure() {
      if (!failures) {
        failures = [];
        for (let op = 0; op < N; op++) if (BAD[D.ending[op]]) failures.push(op);
      }
      nextOf(failures);
      if (!failures.length) $('found').textContent = 'nothing failed';
    }

    // The next operation of the same lane, by time.
    function step(by) {
      const a = picked >= 0 && D.attempts[picked] ? first[picked] : -1;
      if (a < 0) return void (A && pick(opOf[lanes.find(lane => lane.list.length).list[0]], true));
      const list = lanes[laneOf(a)].list, next = list[list.indexOf(a) + by];
      if (next !== undefined) pick(opOf[next], true);
    }

    // ---- Details ------------------------------------------------------------------------------

    function linksOf(list) {
      const box = make('span');
      list.slice(0, 8).forEach((op, i) => {
        if (i) box.append(', ');
        box.append(make('a', ids[op], {href: '#op=' + op}));
      });
      if (list.length > 8) box.append(` and ${list.length - 8} more`);
      return box;
    }

    function neighbours(op) {
      const [needed, needing] = [[], []];
      for (let other = 0, i = 0; other < D.needs.length; other++) {
        for (const end = i + D.needs[other]; i < end; i++) {
          const on = other - D.need[i];
          if (other === op) needed.push(on);
          if (on === op) needing.push(other);
        }
      }
      return [needed, needing];
    }

    function attemptText(a) {
      const end = isAgain(a) ? 'repeated' : ENDINGS[D.result[a]], why = D.reasons[D.again[a]];
      return `${time(D.duration[a])}, from ${time(start[a])} to ${time(stop[a])}, worker `
        + `${D.workerID[D.worker[a]] ?? '–'} (slot ${laneOf(a) + 1}): ${end}${why ? ': ' + why : ''}`;
    }

    function showPanel() {
      const panel = $('panel'), op = picked, list = make('dl');
      panel.hidden = op < 0;
      if (op < 0) return;
      const fact = (name, value) => {
        const dd = make('dd');
        dd.append(value);
        list.append(make('dt', name), dd);
      };
      fact('outcome', ENDINGS[D.ending[op]] + (D.message[op] ? ': ' + D.messages[D.message[op]] : ''));
      const median = D.medians[D.group[op]];
      fact('group', D.groups[D.group[op]] + (median >= 0 ? `, median ${time(median)}` : ''));
      if (ready[op] >= 0 && ready[op] <= startOf(op)) fact('ready', `at ${time(ready[op])}, waited ${time(waited(op))}`);
      for (let a = first[op]; a < first[op + 1]; a++) {
        fact('attempt ' + (a - first[op] + 1), attemptText(a));
        if (chainReason.has(a)) fact('waited for', D.chainReasons[chainReason.get(a)]);
      }
      if (busy[op] >= 0) {
        const share = executed[op] > 0 ? ` (${Math.round(busy[op] / executed[op] * 100)} %)` : '';
        fact('processor', time(busy[op]) + share);
      }
      const peak = Math.max(0, ...D.peak.slice(first[op], first[op + 1]));
      if (peak) fact('memory', `at most ${peak} MiB`);
      const [needed, needing] = neighbours(op);
      if (needed.length) fact('after', linksOf(needed));
      if (needing.length) fact('before', linksOf(needing));
      const buttons = make('span', '', {class: 'buttons'});
      const close = make('button', '×', {type: 'button', 'aria-label': 'Close'});
      close.addEventListener('click', unpick);
      buttons.append(close);
      panel.replaceChildren(make('h2', ids[op]), buttons, list);
      if (commands[op]) panel.append(make('pre', commands[op], {tabindex: 0}));
    }

    function unpick() {
      picked = -1;
      showPanel();
      showRows();
      refresh();
    }

    // ---- The table ----------------------------------------------------------------------------

    const ROW = 31;
    const keys = [op => ids[op], op => D.groups[D.group[op]], op => D.ending[op], op => ready[op],
      waited, op => executed[op], op => busy[op], op => D.attempts[op]];
    let rows = [], sortBy = -1, sortDown = false;

    function order() {
      rows = [];
      for (let op = 0; op < N; op++) if (!match || match[op]) rows.push(op);
      if (sortBy >= 0) {
        const key = keys[sortBy], sign = sortDown ? -1 : 1;
        rows.sort((x, y) => {
          const [one, other] = [key(x), key(y)];
          return one < other ? -sign : one > other ? sign : x - y;
        });
      }
      showRows();
    }

    function rowOf(op) {
      const row = make('tr', undefined, {'data-op': op}), cell = make('td');
      if (op === picked) row.className = 'on';
      cell.append(make('a', ids[op], {href: '#op=' + op}));
      const known = us => us >= 0 ? time(us) : '–';
      row.append(cell, make('td', D.groups[D.group[op]]), make('td', ENDINGS[D.ending[op]]));
      const numbers = [known(ready[op]), known(waited(op)), D.attempts[op] ? time(executed[op]) : '–',
        known(busy[op]), D.attempts[op]];
      row.append(...numbers.map(text => make('td', text, {class: 'n'})));
      return row;
    }

    function showRows() {
      const box = $('list'), from = Math.max(Math.floor(box.scrollTop / ROW) - 6, 0);
      const to = Math.min(from + Math.ceil(box.clientHeight / ROW) + 14, rows.length);
      const space = count => {
        const row = make('tr', undefined, {'aria-hidden': 'true'});
        row.style.height = count * ROW + 'px';
        return row;
      };
      $('rows').replaceChildren(space(from), ...rows.slice(from, to).map(rowOf),
        space(rows.length - to));
    }

    function listenToTable() {
      document.querySelectorAll('#table th').forEach((head, i) => {
        const button = make('button', head.textContent, {type: 'button'});
        head.replaceChildren(button);
        button.addEventListener('click', () => {
          [sortDown, sortBy] = [sortBy === i ? !sortDown : i > 1, i];
          document.querySelectorAll('#table th').forEach(other => other.removeAttribute('aria-sort'));
          head.setAttribute('aria-sort', sortDown ? 'descending' : 'ascending');
          $('list').scrollTop = 0;
          order();
        });
      });
      $('list').addEventListener('scroll', () => requestAnimationFrame(showRows));
      $('rows').addEventListener('click', event => {
        const row = event.target.closest('tr[data-op]');
        if (!row) return;
        event.preventDefault();
        pick(Number(row.dataset.op), true);
      });
    }

    // ---- Keys and the beginning ---------------------------------------------------------------

    const actions = {
      '/': () => { $('find').focus(); $('find').select(); }, f: nextFailure, n: () => step(1),
      p: () => step(-1), '+': () => zoom(0.5), '=': () => zoom(0.5), '-': () => zoom(2),
      '0': () => look(0, D.end), Escape: unpick,
    };
    const ownActions = {ArrowLeft: () => move(-0.15), ArrowRight: () => move(0.15)};

    function listenToKeys() {
      document.addEventListener('keydown', event => {
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        const target = event.target, isField = /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName);
        if (isField && event.key === 'Escape') return target.blur();
        if (isField && target.type !== 'checkbox') return;
        const action = actions[event.key] || (target === canvas && ownActions[event.key]);
        if (!action) return;
        event.preventDefault();
        action();
      });
    }

    function listenToControls() {
      let typing = 0;
      $('find').addEventListener('input', () => {
        clearTimeout(typing);
        typing = setTimeout(() => { query = $('find').value; search(); refresh(); }, 120);
      });
      $('find').addEventListener('keydown', event => {
        if (event.key === 'Enter') nextOf([...rows].sort((x, y) => x - y));
      });
      $('colour').addEventListener('change', () => { mode = $('colour').value; recolour(); refresh(); });
      $('chain').addEventListener('change', () => {
        onlyChain = $('chain').checked;
        recolour();
        refresh();
      });
      $('chain').disabled = !D.chain.length;
      $('in').addEventListener('click', () => zoom(0.5));
      $('out').addEventListener('click', () => zoom(2));
      $('fit').addEventListener('click', () => look(0, D.end));
      $('fail').addEventListener('click', nextFailure);
      document.addEventListener('click', event => {
        // A link to the operation that is chosen already changes no fragment.
        const link = event.target.closest('a[href^="#op="]');
        if (!link) return;
        event.preventDefault();
        pick(Number(link.hash.slice(4)), true, true);
      });
    }

    makeHatch();
    readColours();
    listen();
    listenToCurves();
    listenToTable();
    listenToKeys();
    listenToControls();
    search();
    readState();
    draw();
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
      readColours();
      recolour();
      draw();
    });
    new ResizeObserver(() => { draw(); showRows(); }).observe($('stage'));
    window.addEventListener('hashchange', readState);
    })();

    """#
}
