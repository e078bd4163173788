// The network drawn by force; a click shows the entity beside it and narrows the other pages to it.
// Names are drawn as text on the canvas, never as HTML.
(() => {
  "use strict";
  const box = document.getElementById("graph");
  if (!box || !window.ForceGraph) return;
  const network = JSON.parse(box.dataset.network);
  const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const near = new Map();
  network.links.forEach(({ source, target }) => {
    near.set(source, (near.get(source) || new Set()).add(target));
    near.set(target, (near.get(target) || new Set()).add(source));
  });
  let chosen = Number(box.dataset.chosen) || 0;
  box.classList.add("on");
  const loudest = Math.max(1, ...network.nodes.map((node) => node.mentions));
  const small = box.clientWidth < 500, crowd = Math.sqrt(network.nodes.length);
  const size = (node) => 3 + (small ? 5 : 8) * Math.sqrt(node.mentions / Math.max(12, loudest));
  const lit = (id) => !chosen || id === chosen || (near.get(chosen) && near.get(chosen).has(id));
  const most = Math.max(1, ...network.links.map((link) => link.together));
  // The most mentioned are drawn first, and a name is left out where it would cover another.
  network.nodes.sort((a, b) => b.mentions - a.mentions);
  let taken = [];
  const place = (x, y, width, height) => {
    const free = taken.every((each) => x + width < each[0] || each[0] + each[2] < x || y + height < each[1] || each[1] + each[3] < y);
    if (free) taken.push([x, y, width, height]);
    return free;
  };

  const graph = new ForceGraph(box)
    .width(box.clientWidth).height(box.clientHeight)
    .graphData(network)
    .nodeId("id").nodeLabel(() => "")
    .cooldownTicks(matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 140)
    .warmupTicks(60)
    .linkColor((link) => (chosen && link.source.id !== chosen && link.target.id !== chosen ? css("--line") : css("--line-strong")))
    .linkWidth((link) => 0.5 + (2.5 * link.together) / most)
    .nodeCanvasObject((node, ctx, scale) => {
      const on = lit(node.id), radius = size(node);
      ctx.globalAlpha = on ? 1 : 0.3;
      ctx.beginPath();
      ctx.arc(node.x, node.y, radius, 0, 7);
      ctx.fillStyle = node.id === chosen ? css("--warn") : node.kind === "person" ? css("--accent") : css("--ink-2");
      ctx.fill();
      const height = Math.max(2.5, 12 / scale);
      ctx.font = `${height}px system-ui, sans-serif`;
      const name = node.name.length > 28 ? node.name.slice(0, 27) + "…" : node.name;
      const width = ctx.measureText(name).width;
      const free = place(node.x - width / 2, node.y + radius + 1, width, height);
      if (free || node.id === chosen) {
        ctx.textAlign = "center";
        ctx.textBaseline = "top";
        ctx.lineWidth = 3 / scale;
        ctx.strokeStyle = css("--panel");
        ctx.strokeText(name, node.x, node.y + radius + 1);
        ctx.fillStyle = css("--ink");
        ctx.fillText(name, node.x, node.y + radius + 1);
      }
      ctx.globalAlpha = 1;
    })
    .onRenderFramePre(() => { taken = []; })
    .nodePointerAreaPaint((node, colour, ctx) => {
      ctx.fillStyle = colour;
      ctx.beginPath();
      ctx.arc(node.x, node.y, size(node) + 4, 0, 7);
      ctx.fill();
    })
    .onNodeClick((node) => choose(node.id))
    .onBackgroundClick(() => chosen && choose(0));
  graph.d3Force("charge").strength(-60 - 14 * crowd).distanceMax(160 + 30 * crowd);
  graph.d3Force("link").distance(34 + 3 * crowd);
  // What is linked to nothing would drift away: everything is drawn to the middle a little.
  let nodes = [];
  const gather = (alpha) => nodes.forEach((node) => {
    const pull = (node.alone ? 0.16 : 0.07) * alpha;
    node.vx -= node.x * pull * (small ? 1.6 : 1);
    node.vy -= node.y * pull * (small ? 1 : 1.3);
  });
  gather.initialize = (all) => { nodes = all; };
  graph.d3Force("gather", gather);
  graph.onEngineStop(() => { if (!box.dataset.fitted) { box.dataset.fitted = "yes"; graph.zoomToFit(300, small ? 52 : 60); } });

  function choose(id) {
    chosen = id;
    const fields = new URLSearchParams();
    if (box.dataset.bank) fields.set("bank", box.dataset.bank);
    if (id) fields.set("entity", id);
    const url = "/graph" + (fields.size ? "?" + fields : "");
    graph.linkColor(graph.linkColor());
    htmx.ajax("GET", url, { target: "#panel", select: "#panel", swap: "outerHTML" }).then(() => {
      history.replaceState(history.state, "", url);
      const about = document.getElementById("about"), node = network.nodes.find((each) => each.id === id);
      if (about) { about.hidden = !node; about.querySelector("strong").textContent = node ? node.name : ""; about.querySelector("a").href = "/graph" + (box.dataset.bank ? "?" + new URLSearchParams({ bank: box.dataset.bank }) : ""); }
      document.querySelectorAll("#nav a").forEach((link) => {
        const to = new URL(link.href);
        id ? to.searchParams.set("entity", id) : to.searchParams.delete("entity");
        link.href = to;
      });
    });
  }
  box.hermesGraph = graph;
  addEventListener("resize", () => graph.width(box.clientWidth).height(box.clientHeight).zoomToFit(0, small ? 52 : 60));
})();
