// Shows the values at the epoch under the pointer in place of the last ones.
for (const figure of document.querySelectorAll(".chart")) {
  const svg = figure.querySelector("svg");
  const rule = svg.querySelector(".rule");
  if (!rule) continue;
  const at = figure.querySelector(".at");
  const items = [...figure.querySelectorAll("li")];
  const epochs = svg.dataset.epochs.split(" ");
  const xs = svg.dataset.x.split(" ").map(Number);

  const show = (i, visibility) => {
    at.textContent = "Epoch " + epochs[i];
    for (const item of items) item.querySelector(".value").textContent = item.dataset.values.split(" ")[i];
    rule.setAttribute("x1", xs[i]);
    rule.setAttribute("x2", xs[i]);
    rule.style.visibility = visibility;
  };
  const follow = event => {
    const box = svg.getBoundingClientRect();
    const x = (event.clientX - box.left) / box.width * svg.viewBox.baseVal.width;
    const distance = xs.map(each => Math.abs(each - x));
    show(distance.indexOf(Math.min(...distance)), "visible");
  };
  svg.addEventListener("pointerdown", follow);
  svg.addEventListener("pointermove", follow);
  svg.addEventListener("pointerleave", () => show(xs.length - 1, "hidden"));
}
