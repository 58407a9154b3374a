// Shows each edition that the server sends, whole.
const byId = id => document.getElementById(id);
const link = (state, text) => {
  byId("link").className = state;
  byId("link").textContent = text;
};
// Runs that were hidden stay so, whatever editions come.
const hidden = new Set();
const hide = () => {
  for (const row of document.querySelectorAll(".runs tr[data-run]")) {
    const off = hidden.has(row.dataset.run);
    row.classList.toggle("off", off);
    row.querySelector("button")?.setAttribute("aria-pressed", String(!off));
  }
  for (const part of document.querySelectorAll("#view.many [data-series]")) {
    part.style.display = hidden.has(part.dataset.series) ? "none" : "";
  }
};
byId("view").addEventListener("click", event => {
  const row = event.target.closest(".runs button")?.closest("tr");
  if (!row) return;
  if (!hidden.delete(row.dataset.run)) hidden.add(row.dataset.run);
  hide();
});

// Each point becomes a mean of itself and its neighbours on either side, as drawn; what was measured stays, faintly.
const mean = (heights, kept) => {
  let sum = 0, weight = 0;
  return heights.map(y => {
    sum = kept * sum + y;
    weight = kept * weight + 1;
    return sum / weight;
  });
};
const smooth = () => {
  const kept = Number(byId("smoothing").value);
  byId("amount").textContent = kept === 0 ? "none" : "over about " + Math.round(2 / (1 - kept) - 1) + " points";
  document.querySelectorAll(".raw").forEach(line => line.remove());
  for (const line of document.querySelectorAll("#view .line")) {
    line.dataset.points ??= line.getAttribute("points");
    const places = line.dataset.points.split(" ").map(point => point.split(","));
    const heights = places.map(place => Number(place[1]));
    const before = mean(heights, kept), after = mean(heights.reverse(), kept).reverse();
    const points = places.map((place, i) => place[0] + "," + ((before[i] + after[i]) / 2).toFixed(1));
    line.setAttribute("points", kept === 0 ? line.dataset.points : points.join(" "));
    if (kept === 0) continue;
    const raw = line.cloneNode();
    raw.classList.add("raw");
    raw.setAttribute("points", line.dataset.points);
    line.before(raw);
  }
};
byId("smoothing").addEventListener("input", () => { smooth(); hide(); });

let pointer = null;
document.addEventListener("pointermove", event => { pointer = { clientX: event.clientX, clientY: event.clientY }; });
document.addEventListener("pointerleave", () => { pointer = null; });

const source = new EventSource("events");
source.onopen = () => link("live", "Live");
source.onerror = () => link("lost", "No connection: is polder watch still running?");
source.onmessage = event => {
  const edition = JSON.parse(event.data);
  document.title = edition.title + " – Polder";
  byId("title").textContent = edition.title;
  byId("note").textContent = edition.note;
  byId("view").innerHTML = edition.html; // the server escaped every name in it
  byId("view").classList.toggle("many", document.querySelectorAll(".runs tbody tr").length > 1);
  byId("tools").hidden = !edition.html;
  document.querySelectorAll(".chart").forEach(readOff);
  smooth();
  hide();
  // A pointer that rests on a chart goes on reading it off.
  const under = pointer && document.elementFromPoint(pointer.clientX, pointer.clientY)?.closest("svg");
  if (under) under.dispatchEvent(new PointerEvent("pointermove", { ...pointer, bubbles: true }));
};
