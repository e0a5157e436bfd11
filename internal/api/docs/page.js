// Shows the OpenAPI document of one version. Everything is built from the document with DOM calls, so
// nothing in it can become markup.

const methods = ["get", "post", "put", "delete"];
const $ = (id) => document.getElementById(id);
let doc;

// element makes <tag class=…>children</tag>; children are nodes, strings or nothing.
function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "on") for (const [event, fn] of Object.entries(value)) node.addEventListener(event, fn);
    else if (value !== undefined && value !== false) node.setAttribute(name, value);
  }
  node.append(...children.flat(Infinity).filter((c) => c !== undefined && c !== null && c !== ""));
  return node;
}

const nameOf = (ref) => ref.slice(ref.lastIndexOf("/") + 1);

// resolve follows a reference inside of the document.
function resolve(value) {
  if (!value?.$ref) return value;
  return value.$ref.slice(2).split("/").reduce((at, key) => at[key.replaceAll("~1", "/").replaceAll("~0", "~")], doc);
}

// split takes null apart from what a schema allows beside it.
function split(schema) {
  if (schema.anyOf && !schema.properties) {
    const rest = schema.anyOf.filter((s) => s.type !== "null");
    if (rest.length === 1) return { schema: rest[0], nullable: rest.length < schema.anyOf.length };
  }
  if (Array.isArray(schema.type)) {
    return { schema: { ...schema, type: schema.type.find((t) => t !== "null") }, nullable: schema.type.includes("null") };
  }
  return { schema, nullable: false };
}

function typeText(given) {
  const { schema, nullable } = split(given);
  let text;
  if (schema.$ref) text = nameOf(schema.$ref);
  else if (schema.anyOf) text = schema.anyOf.map(typeText).join(" or ");
  else if (schema.type === "array") text = `array of ${typeText(schema.items)}`;
  else if (schema.contentMediaType) text = "file";
  else if (schema.format === "uuid") text = "UUID";
  else if (schema.format === "date-time") text = "timestamp";
  else text = schema.type ?? "anything";
  return nullable ? `${text} or null` : text;
}

function limits(given) {
  const { schema } = split(given);
  const out = [];
  const range = (least, most, unit) => {
    if (least !== undefined && most !== undefined) out.push(`${least} to ${most}${unit}`);
    else if (least !== undefined) out.push(`at least ${least}${unit}`);
    else if (most !== undefined) out.push(`at most ${most}${unit}`);
  };
  range(schema.minLength, schema.maxLength, " characters");
  range(schema.minimum, schema.maximum, "");
  range(schema.minItems, schema.maxItems, " items");
  if (schema.enum) out.push(schema.enum.filter((v) => v !== null).join(" · "));
  if (schema.pattern === "\\S") out.push("not blank");
  else if (schema.pattern) out.push(`matches ${schema.pattern}`);
  return schema.items && !schema.items.$ref ? out.concat(limits(schema.items)) : out;
}

// inside is the object schema that a value of the schema is or holds, if any.
function inside(given) {
  const { schema } = split(given);
  if (schema.type === "array") return inside(schema.items);
  const target = resolve(schema);
  return target?.properties ? target : undefined;
}

// field is a row of a list; what is noted beside its name is [class, text].
function field(name, schema, note, description) {
  const inner = inside(schema);
  const row = element("li", {},
    element("div", {}, element("span", { class: "name" }, name), note ? element("span", { class: note[0] }, ` ${note[1]}`) : ""),
    element("div", {},
      element("span", { class: "type" }, typeText(schema)), " ",
      limits(schema).map((text) => element("span", { class: "limit" }, text)),
      element("p", {}, description ?? schema.description ?? "")));
  if (inner) {
    // Filled when it is opened: types may hold themselves.
    const details = element("details", {}, element("summary", {}, "fields"));
    details.addEventListener("toggle", () => details.append(fields(inner)), { once: true });
    row.lastChild.append(details);
  }
  return row;
}

const needed = ["need", "required"];
const optional = ["may", "may be absent"];

// fields lists what an object has. Those of requests, which allow nothing else, may mostly be left out;
// those of answers are mostly there: the exceptions are noted.
function fields(schema) {
  const required = new Set([...(schema.required ?? []), ...(schema.anyOf?.[0]?.required ?? [])]);
  const request = schema.additionalProperties === false;
  const note = (name) => (required.has(name) ? request && needed : !request && optional);
  return element("ul", { class: "fields" }, Object.entries(schema.properties).map(([name, s]) => field(name, s, note(name))));
}

// example is a small value that the schema allows.
function example(given, depth = 0) {
  const schema = resolve(split(given).schema);
  if (schema.enum) return schema.enum[0];
  switch (schema.type) {
    case "object": {
      const names = schema.required?.length || depth ? schema.required ?? [] : Object.keys(schema.properties).slice(0, 1);
      return Object.fromEntries(names.map((n) => [n, example(schema.properties[n], depth + 1)]));
    }
    case "array": return depth > 3 || !schema.minItems ? [] : [example(schema.items, depth + 1)];
    case "integer": return schema.minimum ?? 123;
    case "boolean": return true;
  }
  if (schema.format === "uuid") return "12345678-9012-3456-7890-123456789012";
  if (schema.format === "date-time") return "2026-01-31T12:00:00Z";
  if (schema.pattern?.startsWith("^#")) return "#1f7a5c";
  return "text";
}

const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

function curl(method, path, op) {
  const parameters = (op.parameters ?? []).map(resolve);
  for (const p of parameters) {
    if (p.in === "path") path = path.replace(`{${p.name}}`, encodeURIComponent(example(p.schema)));
  }
  const query = parameters.filter((p) => p.in === "query" && p.required)
    .map((p) => `${encodeURIComponent(p.name)}=${encodeURIComponent(example(p.schema))}`).join("&");
  const lines = [`curl${method === "get" ? "" : ` -X ${method.toUpperCase()}`} ${quoted(doc.servers[0].url + path + (query && `?${query}`))}`];
  if (!op.security) lines.push(`-H "Service-Token: $MILEPOST_TOKEN"`);
  const content = op.requestBody?.content ?? {};
  if (content["multipart/form-data"]) {
    const name = content["multipart/form-data"].schema.anyOf?.[0]?.required?.[0] ?? "file";
    lines.push(`-F ${name}=@picture.png`);
  } else if (content["application/json"] && (method !== "get" || op.requestBody.required)) {
    lines.push(`-H 'Content-Type: application/json'`, `-d ${quoted(JSON.stringify(example(content["application/json"].schema)))}`);
  }
  return lines.join(" \\\n  ");
}

async function copy(text, button) {
  try {
    await navigator.clipboard.writeText(text);
  } catch { // only offered over HTTPS and on this machine
    const area = element("textarea", {});
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  button.textContent = "Copied";
  setTimeout(() => { button.textContent = "Copy"; }, 1500);
}

function shell(text) {
  const button = element("button", { type: "button" }, "Copy");
  button.addEventListener("click", () => copy(text, button));
  return element("div", { class: "shell" }, element("pre", {}, element("code", {}, text)), button);
}

function operationBody(method, path, op) {
  const body = element("div", { class: "body" });
  const add = (title, ...nodes) => body.append(element("h4", {}, title), ...nodes);
  if (op.description) body.append(element("p", {}, op.description));
  const parameters = (op.parameters ?? []).map(resolve);
  for (const [place, title] of [["path", "In the path"], ["query", "In the query string"]]) {
    const here = parameters.filter((p) => p.in === place);
    if (here.length) add(title, element("ul", { class: "fields" }, here.map((p) => field(p.name, p.schema, p.required && needed, p.description))));
  }
  for (const [type, media] of Object.entries(op.requestBody?.content ?? {})) {
    add(type === "application/json" ? "JSON body" : "Form", fields(resolve(media.schema)));
  }
  const statuses = Object.entries(op.responses ?? {});
  for (const [status, given] of statuses.filter(([s]) => s < "300")) {
    const schema = resolve(given).content?.["application/json"]?.schema;
    const inner = schema && inside(schema);
    add(`Answer ${status}`, element("p", { class: "soft" }, schema ? typeText(schema) : "without a body"), inner ? fields(inner) : "");
  }
  add("Errors", element("dl", { class: "answers" }, statuses.filter(([s]) => s >= "300").map(([status, given]) => [
    element("dt", { class: "bad" }, status),
    element("dd", {}, resolve(given).description, " ", element("span", { class: "type" }, typeText(resolve(given).content["application/json"].schema))),
  ])));
  add("Example", shell(curl(method, path, op)));
  return body;
}

function pathNodes(path) {
  return path.split(/(\{[^}]*\})/).map((part) => (part.startsWith("{") ? element("b", {}, part) : part));
}

function operation(method, path, op) {
  const details = element("details", {}, element("summary", {},
    element("span", { class: `verb ${method}` }, method.toUpperCase()),
    element("span", { class: "path" }, pathNodes(path)),
    element("span", { class: "title" }, op.summary)));
  details.addEventListener("toggle", () => {
    if (!details.open) return;
    if (details.children.length === 1) details.append(operationBody(method, path, op));
    history.replaceState(null, "", `#${$("version").value}/${op.operationId}`);
    markCurrent(op.operationId);
  });
  const words = [op.summary, method, path, op.operationId, ...(op.tags ?? [])].join(" ").toLowerCase();
  return element("article", { id: op.operationId, class: op.deprecated ? "old" : undefined, "data-words": words }, details);
}

function markCurrent(id) {
  for (const a of $("index").querySelectorAll("a")) a.toggleAttribute("aria-current", a.dataset.id === id);
}

function open(id) {
  const article = id && $(id);
  if (article?.tagName !== "ARTICLE") return;
  article.firstChild.open = true;
  article.scrollIntoView();
  markCurrent(id);
}

function intro() {
  const ways = doc.security.map((s) => doc.components.securitySchemes[Object.keys(s)[0]]);
  return [
    element("h1", {}, doc.info.title),
    Object.values(doc.paths).some((p) => methods.some((m) => p[m]?.deprecated))
      ? element("p", { class: "notice" }, "This version is deprecated. It stays for the clients that use it; new ones use v3.") : "",
    element("p", {}, "All paths are relative to ", element("code", {}, doc.servers[0].url), ". ", doc.info.description ?? ""),
    element("h4", {}, "How to send the token"),
    element("ul", { class: "fields" }, ways.map((w) => element("li", {},
      element("div", {}, element("span", { class: "name" }, w.type === "http" ? "Authorization: Bearer" : w.name)),
      element("div", {}, element("span", { class: "type" }, w.in === "query" ? "query parameter" : "header"), element("p", {}, w.description))))),
    element("p", {}, element("a", { href: $("version").selectedOptions[0].dataset.document.slice(1) }, "OpenAPI document (JSON)")),
  ];
}

function show() {
  const groups = new Map((doc.tags ?? []).map((t) => [t.name, []]));
  for (const [path, item] of Object.entries(doc.paths)) {
    for (const method of methods.filter((m) => item[m])) groups.get(item[method].tags[0]).push([method, path, item[method]]);
  }
  $("intro").replaceChildren(...intro().filter(Boolean));
  $("operations").replaceChildren(...[...groups].map(([tag, list]) => element("section", {},
    element("h2", {}, tag), list.map(([method, path, op]) => operation(method, path, op)))));
  $("index").replaceChildren(...[...groups].map(([tag, list]) => element("li", {}, element("span", {}, tag), element("ul", {},
    list.map(([method, , op]) => element("li", {}, element("a", {
      href: `#${$("version").value}/${op.operationId}`, "data-id": op.operationId, on: { click: (e) => { e.preventDefault(); open(op.operationId); } },
    }, element("span", { class: `verb ${method}` }, method === "delete" ? "DEL" : method.toUpperCase()), element("span", {}, op.summary))))))));
  filter();
}

function filter() {
  const words = $("search").value.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  for (const article of $("operations").querySelectorAll("article")) {
    article.hidden = !words.every((w) => article.dataset.words.includes(w));
    shown += !article.hidden;
    $("index").querySelector(`a[data-id="${CSS.escape(article.id)}"]`).parentNode.hidden = article.hidden;
  }
  for (const section of [...$("operations").children, ...$("index").children]) {
    section.hidden = !section.querySelector("article:not([hidden]), li:not([hidden])");
  }
  $("intro").hidden = words.length > 0;
  $("found").textContent = words.length ? `${shown} ${shown === 1 ? "operation" : "operations"}` : "";
}

async function load() {
  const option = $("version").selectedOptions[0];
  try {
    const answer = await fetch(option.dataset.document.slice(1)); // relative to this page, wherever a proxy puts it
    if (!answer.ok) throw new Error(`the server answers ${answer.status}`);
    doc = await answer.json();
    document.title = `${doc.info.title} reference`;
    show();
  } catch (error) {
    $("operations").replaceChildren();
    $("index").replaceChildren();
    $("intro").replaceChildren(element("p", { class: "notice" }, `The document of ${option.value} could not be read: ${error.message}.`));
  }
}

// The address ends in #version/operation.
async function followAddress() {
  const [version, id] = location.hash.slice(1).split("/");
  const known = [...$("version").options].some((o) => o.value === version);
  if (known && version !== $("version").value || !doc) {
    if (known) $("version").value = version;
    await load();
  }
  open(id);
}

$("version").addEventListener("change", () => { history.replaceState(null, "", `#${$("version").value}`); load(); });
$("search").addEventListener("input", filter);
addEventListener("hashchange", followAddress);
addEventListener("keydown", (e) => {
  if (e.key === "/" && !/INPUT|SELECT|TEXTAREA/.test(e.target.tagName)) { e.preventDefault(); $("search").focus(); }
});
followAddress();
