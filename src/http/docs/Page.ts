// The document of the reference: contents, what all operations share, each operation with its examples, errors by code,
// and schemas. All of it is text: the script only filters, chooses a language and copies.
import { STATUSES } from "../../api/shared/Codes.ts"
import { at, entries, escaped, prose, text } from "./Json.ts"
import { type Group, groupsOf, type Operation } from "./Operations.ts"
import { samplesOf } from "./Samples.ts"
import { anchorOf, fieldsOf, typeOf } from "./Schemas.ts"

/** What the document names: its files, and the guide where the server has one. */
export interface Beside {
  readonly style: string
  readonly script: string
  /** The path of the guide; undefined where there is none. */
  readonly guide: string | undefined
}

export const pageOf = (document: unknown, beside: Beside): string => {
  const groups = groupsOf(document)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>Signalbox API reference</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${beside.style}">
<script src="${beside.script}" defer></script>
</head>
<body>
<a class="skip" href="#start">Skip to content</a>
<header>
<strong>Signalbox</strong> <span>API reference</span>
<span class="links">${linksTo(beside)}<a href="openapi.json">OpenAPI</a></span>
</header>
${contentsOf(groups)}
<main id="start" tabindex="-1">
${introduction(document, beside)}
${groups.map(groupOf).join("\n")}
${errors(groups, beside)}
<section aria-labelledby="schemas"><h2 id="schemas">Schemas</h2>
${entries(at(document, "components", "schemas"))
  .map(schemaOf)
  .join("\n")}
</section>
</main>
</body>
</html>
`
}

const linksTo = ({ guide }: Beside): string =>
  guide === undefined ? "" : `<a href="/">Dashboard</a> <a href="${guide}">Guide</a> `

const contentsOf = (groups: ReadonlyArray<Group>): string => `<nav aria-label="Operations">
<label for="filter">Find an operation</label>
<input id="filter" type="search" autocomplete="off" spellcheck="false">
${groups
  .map(
    ({ operations, title }) => `<h2>${escaped(title)}</h2>
<ul>
${operations.map(({ id, method, path, title }) => `<li data-words="${escaped(`${method} ${path} ${title} ${id}`.toLowerCase())}"><a href="#${id}"><span class="method">${method}</span> ${escaped(title)}</a></li>`).join("\n")}
</ul>`
  )
  .join("\n")}
<h2>More</h2>
<ul class="plain"><li><a href="#errors">Errors by code</a></li><li><a href="#schemas">Schemas</a></li></ul>
</nav>`

const introduction = (document: unknown, { guide }: Beside): string => `<h1>API reference</h1>
<p class="lead">${prose(text(at(document, "info", "description")))}</p>
<section aria-labelledby="before"><h2 id="before">Before the examples</h2>
<p>Each example runs as it stands, once these two variables are set. <code>signalbox token create --account me</code> makes a token. TypeScript runs with Bun, or with Node 22.18 or later; Python needs nothing but itself.${guide === undefined ? "" : ` The guide explains <a href="${guide}/api">the interface</a>.`}</p>
${code("shell", 'export SIGNALBOX="http://127.0.0.1:8080"\nexport TOKEN="sbx_api_..."', "address")}
</section>`

const groupOf = ({ about, operations, title }: Group): string =>
  `<section aria-labelledby="group.${escaped(title)}"><h2 id="group.${escaped(title)}">${escaped(title)}</h2>
<p>${prose(about)}</p>
${operations.map(operationOf).join("\n")}
</section>`

const operationOf = (operation: Operation): string => {
  const { about, answers, bodies, id, method, parameters, path, title } = operation
  const [body] = bodies.filter(([type]) => type === "application/json")
  return `<article id="${id}">
<h3><a href="#${id}">${escaped(title)}</a></h3>
<p class="address"><span class="method">${method}</span> <code>${escaped(path)}</code></p>
<p>${prose(about)} ${ACCESS[operation.access]}</p>
${parameters.length === 0 ? "" : `<h4>Parameters</h4><table>${parameters.map((it) => `<tr><th scope="row"><code>${escaped(it.name)}</code>${it.isNeeded ? " <b>needed</b>" : ""}</th><td>${it.place}: ${typeOf(it.schema)}${it.about === "" ? "" : `<p>${prose(it.about)}</p>`}</td></tr>`).join("")}</table>`}
${body === undefined ? "" : `<h4>Body</h4>${fieldsOf(body[1])}${otherTypes(bodies.map(([type]) => type))}`}
<h4>Example</h4>
${samplesOf(operation)
  .map(({ code: shown, language }) => code(language, shown))
  .join("\n")}
<h4>Answers</h4><table>${answers.map(({ about, schema, status }) => `<tr><th scope="row">${status}</th><td>${prose(about)}${schema === undefined ? "" : ` ${typeOf(schema)}`}</td></tr>`).join("")}</table>
</article>`
}

const otherTypes = (types: ReadonlyArray<string>): string =>
  types.length < 2
    ? ""
    : `<p>Taken as ${types.map((type) => `<code>${escaped(type)}</code>`).join(", ")}.</p>`

const ACCESS: Readonly<Record<Operation["access"], string>> = {
  bearer: "Takes a token, or the dashboard's session.",
  key: "Takes a token as <code>?key=</code> in the address.",
  none: "Takes no token."
}

const code = (language: string, shown: string, name?: string): string =>
  `<figure class="code" data-language="${language}"><figcaption>${language} <button type="button" class="copy">Copy</button></figcaption><pre tabindex="0"${name === undefined ? "" : ` id="${name}"`}>${escaped(shown)}</pre></figure>`

/** The codes of problems, with the statuses that they come with. */
const errors = (groups: ReadonlyArray<Group>, { guide }: Beside): string => {
  const answers = groups.flatMap(({ operations }) => operations.flatMap((it) => it.answers))
  const aboutOf = (status: number) =>
    answers.find((answer) => answer.status === String(status))?.about ?? "See the message."
  const rows = Object.entries(STATUSES).map(
    ([name, statuses]) =>
      `<tr id="error.${name}"><th scope="row"><code>${name}</code></th><td>${statuses.join(", ")}</td><td>${prose(aboutOf(statuses[0]))}${guide === undefined ? "" : ` <a href="${guide}/errors#${name}" aria-label="What to do about ${name}">What to do</a>`}</td></tr>`
  )
  return `<section aria-labelledby="errors"><h2 id="errors">Errors by code</h2>
<p>Every error is a problem document: <code>code</code> is stable and for programs, <code>message</code> is for people, and <code>errors</code> names the fields.</p>
<table><thead><tr><th scope="col">code</th><th scope="col">status</th><th scope="col">says</th></tr></thead><tbody>${rows.join("")}</tbody></table>
</section>`
}

const schemaOf = ([name, schema]: readonly [string, unknown]): string => {
  const about = text(at(schema, "description"))
  return `<article id="${escaped(anchorOf(name))}"><h3>${escaped(name)}</h3>${about === "" ? "" : `<p>${prose(about)}</p>`}${fieldsOf(schema)}</article>`
}
