// The list of trials: nothing of a trial is built before it is looked at.
(() => {
  const list = document.getElementById("list");
  if (!list) return;
  const data = JSON.parse(document.getElementById("data").textContent);
  const word = i => data.words[i];
  const ends = ["done", "diverged", "failed"];
  const trials = data.trials.map(t => ({
    id: t[0], variant: word(t[1]), stage: word(t[2]), method: word(t[3]), settings: word(t[4]), seed: t[5], status: t[6],
    split: t[7], epochs: t[8], last: t[9], best: t[10], loss: t[11], norm: t[12], seconds: t[13], attempts: t[14],
    started: t[15], machine: word(t[16]), reason: word(t[17]), name: word(t[18]), recipe: t[19], curve: t[20],
  }));
  const fixed = (value, digits) => value === null ? "–" : value.toFixed(digits).replace("-", "−");
  const significant = value => value === null ? "–" : Number(value.toPrecision(3)).toString().replace("-", "−");
  const columns = [
    { name: "Trial", key: t => t.id },
    ...(trials.some(t => t.variant) ? [{ name: "Variant", key: t => t.variant }] : []),
    { name: "For", key: t => t.stage, wide: true, wrap: true },
    { name: "Method", key: t => t.method, wrap: true },
    { name: "Settings", key: t => t.settings, wrap: true },
    { name: "Seed", key: t => t.seed, number: true },
    { name: "End", key: t => ends[t.status], bad: t => t.status > 0 },
    { name: data.judge.heading, key: t => t.last, number: true, text: t => fixed(t.last, data.judge.decimals) },
    { name: "Norm", key: t => t.norm, number: true, text: t => significant(t.norm), wide: true },
    { name: "Epochs", key: t => t.epochs, number: true, wide: true },
    { name: "Seconds", key: t => t.seconds, number: true, text: t => fixed(t.seconds, 0), wide: true },
  ];
  const body = list.tBodies[0];
  const filter = document.getElementById("filter");
  const status = document.getElementById("status");
  const split = document.getElementById("split");
  const count = document.getElementById("count");
  const more = document.getElementById("more");
  const step = 100;
  let sorted = null, ascending = true, shown = trials, limit = step;

  const element = (name, text, kind) => {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    if (kind) made.className = kind;
    return made;
  };
  const kinds = column => ["number", "wide", "wrap"].filter(kind => column[kind]).join(" ");

  for (const column of columns) {
    const heading = element("th", undefined, kinds(column));
    heading.scope = "col";
    const button = element("button", column.name);
    button.type = "button";
    button.addEventListener("click", () => {
      ascending = sorted === column ? !ascending : true;
      sorted = column;
      for (const other of list.tHead.rows[0].cells) other.removeAttribute("aria-sort");
      heading.setAttribute("aria-sort", ascending ? "ascending" : "descending");
      update();
    });
    heading.append(button);
    list.tHead.rows[0].append(heading);
  }

  // What is unknown comes last, whatever the order.
  const compare = (a, b) => {
    const x = sorted.key(a), y = sorted.key(b);
    if (x === null || y === null) return (x === null) - (y === null);
    const order = typeof x === "number" ? x - y : x.localeCompare(y, "en", { numeric: true });
    return ascending ? order : -order;
  };
  // Each part must begin a word: "3" is seed 3, and not every id with a 3 in it.
  const words = t => t.words ??=
    ["", t.id, t.variant, t.stage, t.method, t.settings, "seed " + t.seed, t.machine, t.reason].join(" ").toLowerCase();

  const update = () => {
    const wanted = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    shown = trials.filter(t =>
      (status.value === "" || t.status === Number(status.value)) &&
      (split.value === "" || t.split === Number(split.value)) &&
      wanted.every(part => words(t).includes(" " + part)));
    if (sorted) shown.sort(compare);
    limit = step;
    body.replaceChildren();
    draw(0);
  };
  const draw = from => {
    const rows = document.createDocumentFragment();
    for (const trial of shown.slice(from, limit)) rows.append(row(trial));
    body.append(rows);
    const there = Math.min(limit, shown.length);
    count.textContent = shown.length === trials.length
      ? trials.length + " trials" : shown.length + " of " + trials.length + " trials";
    more.hidden = there === shown.length;
    more.textContent = "Show more (" + (shown.length - there) + " left)";
  };
  const row = trial => {
    const made = element("tr");
    for (const column of columns) {
      const cell = element("td", undefined, kinds(column));
      if (column === columns[0]) {
        const button = element("button", trial.id.slice(0, 8));
        button.type = "button";
        button.setAttribute("aria-expanded", "false");
        button.title = "Recipe and curves";
        button.addEventListener("click", () => toggle(trial, made, button));
        cell.append(button);
      } else {
        cell.textContent = column.text ? column.text(trial) : column.key(trial);
        if (column.bad && column.bad(trial)) cell.classList.add("bad");
      }
      made.append(cell);
    }
    return made;
  };

  const toggle = (trial, above, button) => {
    const open = button.getAttribute("aria-expanded") === "true";
    button.setAttribute("aria-expanded", String(!open));
    if (open) above.nextSibling.remove();
    else above.after(detail(trial));
  };
  const detail = trial => {
    const made = element("tr", undefined, "detail");
    const whole = element("td");
    whole.colSpan = columns.length;
    // The list may be wider than the screen: what is opened keeps to the part that is seen.
    const cell = element("div");
    cell.style.width = list.parentElement.clientWidth + "px";
    whole.append(cell);
    const started = new Date(1000 * trial.started).toISOString().replace("T", " ").slice(0, 16) + " UTC";
    const facts = ["Trial " + trial.id, trial.name, "judged by the " + (trial.split ? "validation" : "test") + " images",
      "best " + data.judge.label + " " + fixed(trial.best, data.judge.decimals) + data.judge.unit, "loss " + significant(trial.loss), "started " + started,
      trial.attempts === 1 ? "1 attempt" : trial.attempts + " attempts", trial.machine].join(" · ");
    if (trial.reason) cell.append(element("p", ends[trial.status] + ": " + trial.reason, "note reason"));
    cell.append(element("p", facts, "note"));
    const charts = element("div", undefined, "charts");
    charts.append(chart(data.judge.heading, trial.curve[0], trial.curve[1]), chart("Gradient norm", trial.curve[0], trial.curve[2]));
    cell.append(charts, element("pre", recipe(trial)));
    made.append(whole);
    return made;
  };
  const recipe = trial => {
    const [size, ...changes] = trial.recipe;
    const lines = [...data.templates[size]];
    for (let i = 0; i < changes.length; i += 2) lines[changes[i]] = changes[i + 1];
    return lines.map(word).filter(line => !/^\s*\w+: null$/.test(line)).join("\n");
  };

  const svg = (name, attributes, text) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const key in attributes) made.setAttribute(key, attributes[key]);
    if (text !== undefined) made.textContent = text;
    return made;
  };
  const chart = (title, epochs, values) => {
    const figure = element("figure", undefined, "chart");
    const drawing = svg("svg", { viewBox: "0 0 420 200", role: "img", "aria-label": title + " by epoch" });
    drawing.append(svg("text", { class: "title", x: 0, y: 14 }, title));
    const known = values.filter(value => value !== null);
    if (known.length === 0) {
      drawing.append(svg("text", { "text-anchor": "middle", x: 210, y: 100 }, "Nothing was recorded"));
      figure.append(drawing);
      return figure;
    }
    const [left, right, top, bottom] = [64, 410, 34, 160];
    const low = Math.min(...known), high = Math.max(...known), first = epochs[0], last = epochs[epochs.length - 1];
    const x = epoch => last === first ? (left + right) / 2 : left + (epoch - first) / (last - first) * (right - left);
    const y = value => high === low ? (top + bottom) / 2 : bottom - (value - low) / (high - low) * (bottom - top);
    for (const value of high === low ? [low] : [low, (low + high) / 2, high]) {
      drawing.append(svg("line", { class: "grid", x1: left, y1: y(value), x2: right, y2: y(value) }));
      drawing.append(svg("text", { "text-anchor": "end", x: left - 8, y: y(value) + 4.5 }, significant(value)));
    }
    for (const epoch of first === last ? [first] : [first, last]) {
      drawing.append(svg("text", { "text-anchor": epoch === last && first !== last ? "end" : "start", x: x(epoch), y: bottom + 20 },
        "epoch " + epoch));
    }
    let run = [];
    const flush = () => {
      if (run.length > 1) drawing.append(svg("polyline", { class: "line c1", points: run.join(" ") }));
      else if (run.length === 1) drawing.append(svg("circle", { class: "dot c1", cx: run[0].split(",")[0], cy: run[0].split(",")[1], r: 3.5 }));
      run = [];
    };
    values.forEach((value, i) => {
      if (value === null) flush();
      else run.push(x(epochs[i]).toFixed(1) + "," + y(value).toFixed(1));
    });
    flush();
    figure.append(drawing);
    return figure;
  };

  for (const control of [filter, status, split]) control.addEventListener("input", update);
  more.addEventListener("click", () => {
    const from = limit;
    limit += 4 * step;
    draw(from);
  });
  document.querySelector(".filters").hidden = false;
  list.hidden = false;
  update();
})();
