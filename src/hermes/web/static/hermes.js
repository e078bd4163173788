// Makes pages quicker to use; every page works without it. No dependency but htmx, where it is there.
(() => {
  "use strict";
  const root = document.documentElement;
  root.classList.add("js");
  const $ = (selector, from = document) => from.querySelector(selector);
  const $$ = (selector, from = document) => [...from.querySelectorAll(selector)];

  // Keys
  const typing = (el) => el && (el.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(el.tagName));
  const places = { s: "/", t: "/timeline", f: "/facts", c: "/sessions", n: "/graph", m: "/user", r: "/lab", p: "/pending", h: "/health", l: "/lessons", x: "/care" };
  let going = 0, fading = 0;
  // Where the sidebar leads, which takes along what was chosen.
  const go = (path) => { const link = $$("#nav a").find((each) => new URL(each.href).pathname === path); location.assign(link ? link.href : path); };
  function say(text, ms) {
    const live = $("#live");
    if (!live) return;
    live.textContent = text;
    clearTimeout(fading);
    fading = setTimeout(() => { live.textContent = ""; }, ms);
  }

  const items = () => $$("[data-item]").filter((el) => el.getClientRects().length);
  function move(step) {
    const all = items();
    if (!all.length) return;
    const now = all.findIndex((el) => el.classList.contains("at"));
    const next = now < 0 ? (step > 0 ? 0 : all.length - 1) : Math.min(all.length - 1, Math.max(0, now + step));
    all.forEach((el) => el.classList.remove("at"));
    all[next].classList.add("at");
    all[next].focus({ preventScroll: true });
    all[next].scrollIntoView({ block: "nearest" });
  }
  function edit() {
    const at = $("[data-item].at");
    const summary = (at && $("[data-edit]", at)) || $("[data-edit]");
    if (!summary) { if (at && at.href) location.assign(at.href + "#edit"); return; }
    const details = summary.closest("details");
    details.open = true;
    const field = $("textarea, input:not([type=hidden])", details);
    if (field) { field.focus(); field.setSelectionRange && field.setSelectionRange(field.value.length, field.value.length); }
  }
  function shut(details) {
    details.open = false;
    $("summary", details).focus();
  }
  document.addEventListener("click", (event) => {
    const cancel = event.target.closest("[data-cancel]"), details = cancel && cancel.closest("details");
    if (!details) return;
    event.preventDefault();
    const form = $("form", details);
    if (form) form.reset();
    shut(details);
  });
  function undo() {
    const button = $("[data-undo]");
    if (button) button.form.requestSubmit(button);
  }
  function help() {
    const dialog = $("#help");
    if (dialog && !dialog.open) dialog.showModal();
  }
  const keys = {
    "/": () => { const field = $("[data-search]"); if (field) { field.focus(); field.select(); } },
    j: () => move(1), k: () => move(-1), e: edit, u: undo, "?": help,
    g: () => { going = Date.now(); say("go to: " + Object.keys(places).join(" "), 1500); },
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const dialog = $("#help");
    if (dialog && dialog.open) return;
    if (event.key === "Escape" && !typing(event.target)) { const open = event.target.closest("main details[open]") || $(".actions details[open]"); if (open) shut(open); const more = $("#more-pages"); if (more) more.checked = false; return; }
    if (typing(event.target)) {
      if (event.key === "Escape") {
        // The first Esc clears a search, its results with it; the next one leaves the field.
        if (event.target.type === "search" && event.target.value) { event.preventDefault(); event.target.value = ""; event.target.dispatchEvent(new Event("input", { bubbles: true })); }
        else event.target.blur();
      }
      if (event.target.matches("[data-search]") && event.key === "ArrowDown") { event.preventDefault(); event.target.blur(); move(1); }
      return;
    }
    if (going && Date.now() - going < 1500 && places[event.key]) { event.preventDefault(); going = 0; go(places[event.key]); return; }
    const act = keys[event.key];
    if (act) { event.preventDefault(); act(); }
  });
  $$("[data-help]").forEach((link) => link.addEventListener("click", (event) => { event.preventDefault(); help(); }));

  // Bring what a page is about into view: a message in its own box, or in the page.
  $$("[data-scroll-to]").forEach((box) => {
    const target = $(box.dataset.scrollTo, box);
    if (!target) return;
    if (box.scrollHeight > box.clientHeight + 4) box.scrollTop = target.offsetTop - box.offsetTop - box.clientHeight / 3;
    else if (!location.hash) target.scrollIntoView({ block: "center" });
  });
  if (location.hash === "#edit") edit();

  // What is in the way of a page that stays open: Hermes has stopped, or this browser is let in no more.
  let leaving = false;
  function warn(text) {
    const box = $("#away") || document.createElement("p");
    if (!text) { box.remove(); return; }
    Object.assign(box, { id: "away", className: "notice", role: "alert", textContent: text });
    if (!leaving) $("main").prepend(box);
  }
  const away = () => warn("Hermes does not answer. This page stays as it is, and goes on when Hermes is back: hermes start.");
  const out = () => warn("This browser is no longer logged in. Get in again with: hermes open.");
  document.addEventListener("htmx:error", (event) => { const error = event.detail.error; if (error instanceof TypeError) away(); });
  document.addEventListener("htmx:response:error", (event) => {
    const { response, text } = event.detail.ctx;
    if (response.status === 401) { out(); return; }
    try { const { message, hint } = JSON.parse(text); warn(message + " " + hint); } catch { warn("This could not be done (" + response.status + ")."); }
  });
  document.addEventListener("htmx:after:request", (event) => { if (event.detail.ctx.response.status < 400) warn(""); });
  addEventListener("pagehide", () => { leaving = true; });
  addEventListener("pageshow", () => { leaving = false; });

  // Live: what the agent learns shows up by itself. Parts that want it listen for "memory" on body.
  if (window.EventSource && $("[hx-trigger*='memory']")) {
    let timer = 0, source;
    // From what the page shows on: what changed while it was loading counts too.
    let seen = document.body.dataset.seq;
    function listen() {
      source = new EventSource("/v1/changes" + (seen ? "?since=" + seen : ""));
      source.addEventListener("open", () => warn(""));
      source.addEventListener("error", lost);
      source.addEventListener("change", learn);
    }
    // Browsers try again by themselves, but not after an answer that is no stream.
    async function lost() {
      const shut = source.readyState === EventSource.CLOSED;
      const answer = await fetch("/v1/changes/latest").catch(() => null);
      if (answer && answer.status === 401) { source.close(); out(); return; }
      if (!answer || !answer.ok) away();
      if (shut && !leaving) setTimeout(listen, 5000);
    }
    function learn(event) {
      seen = JSON.parse(event.data).seq;
      clearTimeout(timer);
      timer = setTimeout(() => {
        const open = $("main details[open] form, dialog[open]");
        if (open || typing(document.activeElement) && document.activeElement.closest("[hx-trigger*='memory']")) return;
        const known = new Set($$("a[data-item]").map((el) => el.href));
        window.htmx && htmx.trigger(document.body, "memory");
        setTimeout(() => $$("a[data-item]").forEach((el) => el.classList.toggle("new", !known.has(el.href))), 400);
        say("Updated just now", 4000);
      }, 300);
    }
    listen();
    addEventListener("pagehide", () => source.close());
  }
})();
