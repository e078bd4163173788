// The strip as a chart with a brush: drag over days, and the list below shows them.
(() => {
  "use strict";
  const strip = document.getElementById("strip");
  const form = document.getElementById("window");
  if (!strip || !form || !window.uPlot) return;
  const [days, turns, facts] = JSON.parse(strip.dataset.series);
  const gaps = (counts) => counts.map((count) => count || null);
  const format = (parts) => new Intl.DateTimeFormat(undefined, { timeZone: "UTC", ...parts });
  const byDay = format({ month: "short", day: "numeric" }), byMonth = format({ month: "short", year: "numeric" });
  const compact = (count) => (count >= 1000 ? `${count / 1000}k` : `${count}`);
  const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const DAY = 86400, MONTH = 30 * DAY, YEAR = 365 * DAY;
  // A mark stands for whole days, so that no day is written twice.
  const STEPS = [...[1, 2, 3, 7, 14].map((n) => n * DAY), ...[1, 2, 3, 4, 6].map((n) => n * MONTH), ...[1, 2, 5, 10, 25, 50].map((n) => n * YEAR)];
  const WHOLE = [0, 1, 2, 3, 4, 5, 6].flatMap((power) => [1, 2, 5].map((n) => n * 10 ** power));
  const named = (at, step) => (step < MONTH ? byDay : byMonth).format(at * 1000);
  const iso = (seconds) => new Date(seconds * 1000).toISOString().slice(0, 10);
  const seconds = (text) => Date.parse(text + "T00:00:00Z") / 1000;

  function choose(since, until) {
    form.elements.since.value = iso(since);
    form.elements.until.value = iso(until);
    form.requestSubmit();
  }
  function brushed(plot) {
    const { left, width } = plot.select;
    if (width < 3) return;
    const first = Math.round(plot.posToVal(left, "x") / DAY) * DAY;
    const last = Math.max(first, Math.round(plot.posToVal(left + width, "x") / DAY) * DAY);
    choose(first, last);
  }
  function show(plot) {
    const since = form.elements.since.value, until = form.elements.until.value;
    if (!since || !until) return;
    const left = plot.valToPos(seconds(since) - DAY / 2, "x");
    const right = plot.valToPos(seconds(until) + DAY / 2, "x");
    const from = Math.max(0, left), to = Math.min(plot.bbox.width / devicePixelRatio, right);
    plot.setSelect({ left: from, width: Math.max(2, to - from), top: 0, height: plot.bbox.height / devicePixelRatio }, false);
  }
  const told = document.getElementById("told");
  const many = (count, word) => `${count || 0} ${word}${count === 1 ? "" : "s"}`;
  function tell(plot) {
    const at = plot.cursor.idx;
    told.textContent = at === null || at === undefined ? "" : `${iso(days[at])}: ${many(turns[at], "turn")}, ${many(facts[at], "fact")}`;
  }
  const bars = uPlot.paths.bars({ size: [0.85, 14], align: 0 });
  const axis = () => ({ stroke: css("--ink-2"), grid: { stroke: css("--line"), width: 1 }, ticks: { stroke: css("--line") }, font: "12px system-ui, sans-serif" });
  const options = {
    width: strip.clientWidth - 26, height: 130,
    tzDate: (at) => uPlot.tzDate(new Date(at * 1000), "Etc/UTC"),
    legend: { show: false },
    cursor: { drag: { x: true, y: false, setScale: false }, y: false, points: { show: false } },
    scales: { x: { time: true, range: () => [days[0] - DAY, days[days.length - 1] + DAY] }, y: { range: (_, min, max) => [0, Math.max(1, max * 1.08)] } },
    axes: [{ ...axis(), space: 70, incrs: STEPS, values: (_, at, axis, space, step) => at.map((each) => named(each, step)) }, { ...axis(), size: 40, space: 36, incrs: WHOLE, values: (_, at) => at.map((each) => (each === null ? "" : compact(each))) }],
    series: [
      { label: "Day", value: "{YYYY}-{MM}-{DD}" },
      { label: "Turns", stroke: css("--accent"), fill: css("--accent") + "99", paths: bars, points: { show: false } },
      { label: "Facts", stroke: css("--warn"), fill: css("--warn") + "aa", paths: bars, points: { show: false } },
    ],
    hooks: { setCursor: [tell], setSelect: [brushed], ready: [(plot) => setTimeout(() => show(plot))] },
  };
  strip.replaceChildren();
  const plot = new uPlot(options, [days, gaps(turns), gaps(facts)], strip);
  addEventListener("resize", () => { plot.setSize({ width: strip.clientWidth - 26, height: 130 }); show(plot); });
  form.addEventListener("change", () => show(plot));
})();
