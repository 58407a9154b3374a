// Shows each edition that the server sends, whole.
const byId = id => document.getElementById(id);
const link = (state, text) => {
  byId("link").className = state;
  byId("link").textContent = text;
};
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
  document.querySelectorAll(".chart").forEach(readOff);
  // A pointer that rests on a chart goes on reading it off.
  const under = pointer && document.elementFromPoint(pointer.clientX, pointer.clientY)?.closest("svg");
  if (under) under.dispatchEvent(new PointerEvent("pointermove", { ...pointer, bubbles: true }));
};
