// Shows the values under the pointer in place of the last ones.
const readOff = figure => {
  const svg = figure.querySelector("svg");
  const rule = svg.querySelector(".rule");
  if (!rule) return;
  const at = figure.querySelector(".at");
  const last = at.textContent;
  const many = figure.closest(".many") !== null;
  const numbers = text => text.split(" ").map(Number);
  const items = [...figure.querySelectorAll("li")].filter(item => item.dataset.x).map(item => {
    const value = item.querySelector(".value");
    const xs = numbers(item.dataset.x);
    // Of several runs, one that ended earlier has no value half a step beyond its end.
    const reach = xs.length > 1 ? (xs[xs.length - 1] - xs[0]) / (xs.length - 1) / 2 : 1;
    return { item, value, xs, reach, last: value.textContent, texts: item.dataset.values.split(" ") };
  });
  const show = (item, text) => {
    item.value.textContent = text;
    item.item.hidden = many && text === "–";
  };
  const [low, high] = numbers(svg.dataset.range);
  const [left, right] = numbers(svg.dataset.x);

  const nearest = (xs, x) => xs.reduce((best, each, i) => Math.abs(each - x) < Math.abs(xs[best] - x) ? i : best, 0);
  const follow = event => {
    const box = svg.getBoundingClientRect();
    const pointer = (event.clientX - box.left) / box.width * svg.viewBox.baseVal.width;
    const all = items.flatMap(item => item.xs);
    const x = all[nearest(all, pointer)];
    const place = low + (x - left) / (right - left) * (high - low);
    const decimals = svg.dataset.decimals;
    // Rounded first, or a little less than nothing would have a sign.
    at.textContent = svg.dataset.across + " " + Number(place.toFixed(decimals)).toFixed(decimals).replace("-", "−");
    for (const item of items) {
      const beyond = many && (x < item.xs[0] - item.reach || x > item.xs[item.xs.length - 1] + item.reach);
      show(item, beyond ? "–" : item.texts[nearest(item.xs, x)]);
    }
    rule.setAttribute("x1", x);
    rule.setAttribute("x2", x);
    rule.style.visibility = "visible";
  };
  svg.addEventListener("pointerdown", follow);
  svg.addEventListener("pointermove", follow);
  svg.addEventListener("pointerleave", () => {
    at.textContent = last;
    for (const item of items) show(item, item.last);
    rule.style.visibility = "hidden";
  });
};
document.querySelectorAll(".chart").forEach(readOff);
