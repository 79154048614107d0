// Style sheet of the API manual: one column on a phone, two on a desktop, light and dark.

export const style = `
:root {
  color-scheme: light dark;
  --paper: #fbfaf7; --card: #ffffff; --ink: #1c2330; --muted: #56606f; --line: #e3dfd5; --edge: #7d8592; --accent: #0a5a69;
  --code: #f2efe8; --shell: #1d2633; --shell-ink: #e8ecf1; --required: #9a2f12; --mark: #fdf3c8; --shell-edge: #56657a;
  --get: #14613a; --post: #1a4f9c; --put: #845000; --patch: #673a9e; --delete: #a3241c;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --paper: #12161c; --card: #181e26; --ink: #e5e9ef; --muted: #a2acb9; --line: #2b3440; --edge: #78838f; --accent: #7fcbda;
    --code: #222a35; --shell: #0b0f14; --shell-ink: #dbe2ea; --required: #f2a58c; --mark: #3a3413; --shell-edge: #4a586b;
    --get: #7ed3a1; --post: #8fbcff; --put: #edbd68; --patch: #c9a7f5; --delete: #ff9d94;
  }
}
*, *::before, *::after { box-sizing: border-box; }
html { scroll-padding-top: 1rem; -webkit-text-size-adjust: 100%; }
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
body {
  margin: 0; background: var(--paper); color: var(--ink); overflow-wrap: break-word;
  font: 1rem/1.6 ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
}
code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace; }
code { font-size: .875em; background: var(--code); padding: .1em .3em; border-radius: .25em; overflow-wrap: anywhere; }
pre {
  margin: .75rem 0; padding: .9rem 1rem; border-radius: .5rem; background: var(--shell); color: var(--shell-ink);
  font-size: .8125rem; line-height: 1.55; white-space: pre-wrap; overflow-wrap: anywhere;
}
pre code { background: none; padding: 0; font-size: inherit; }
a { color: var(--accent); text-underline-offset: .15em; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: .2em; }
main:focus { outline: none; }
.skip { position: absolute; left: -100rem; padding: .5rem 1rem; background: var(--card); }
.skip:focus { left: .5rem; top: .5rem; z-index: 1; }
[hidden] { display: none !important; }
header, .columns { max-width: 78rem; margin: 0 auto; padding: 0 clamp(1rem, 4vw, 2.5rem); }
header { display: flex; flex-wrap: wrap; gap: .75rem 3rem; align-items: end; padding-top: 1.25rem; padding-bottom: 1.25rem; }
.site { margin: 0; flex: 1 1 auto; }
.site a { color: var(--ink); font-weight: 700; text-decoration: none; }
.site a:hover { text-decoration: underline; }
.site span { color: var(--muted); font-size: .875rem; margin-left: .5rem; white-space: nowrap; }
.search { position: relative; flex: 0 1 26rem; min-width: min(100%, 16rem); }
.search label { display: block; font-size: .875rem; color: var(--muted); }
.search > div:not(.found) { display: flex; gap: .5rem; }
input, select, button { font: inherit; color: inherit; min-height: 2.5rem; border-radius: .4rem; }
input, select {
  width: 100%; min-width: 0; padding: .3rem .6rem; background: var(--card); border: 1px solid var(--edge);
}
input::placeholder { color: var(--muted); opacity: 1; }
button { padding: .3rem 1rem; border: 1px solid var(--accent); background: none; color: var(--accent); cursor: pointer; }
button:hover { background: var(--code); }
button[type=submit] { background: var(--accent); color: var(--paper); }
button[type=submit]:hover { filter: brightness(1.1); }
.found {
  position: absolute; z-index: 2; right: 0; top: calc(100% + .4rem); width: min(36rem, 100vw - 2rem); max-height: 70vh;
  overflow-y: auto; background: var(--card); border: 1px solid var(--edge); border-radius: .5rem;
  padding: .25rem 1rem; box-shadow: 0 .5rem 2rem #0003;
}
h1, h2, h3, h4 { line-height: 1.25; margin: 0; text-wrap: balance; }
h1 { font-size: clamp(1.75rem, 5vw, 2.4rem); letter-spacing: -.02em; overflow-wrap: anywhere; }
main h2 { font-size: 1.3rem; letter-spacing: -.01em; }
main section > h2 { margin-bottom: .5rem; }
main h3 { font-size: .95rem; margin: 1.4rem 0 .4rem; color: var(--muted); }
section > h3 { font-size: 1.1rem; margin: 1.5rem 0 0; }
p { margin: .5rem 0; max-width: 44rem; }
.lead { font-size: 1.125rem; color: var(--muted); max-width: 40rem; }
.notes { display: flex; flex-wrap: wrap; gap: .1rem 1.25rem; color: var(--muted); font-size: .9rem; }
.columns { padding-bottom: 3rem; }
.pages { font-size: .95rem; padding-bottom: 1.25rem; }
.pages ul, .contents ul, .operations, .names { list-style: none; margin: 0; padding: 0; }
.pages ul { display: flex; flex-wrap: wrap; gap: .4rem; }
.pages a {
  display: block; padding: .25rem .7rem; border: 1px solid var(--line); border-radius: 1rem; color: var(--ink);
  text-decoration: none;
}
.pages a:hover { text-decoration: underline; }
.pages a[aria-current] { border-color: var(--accent); background: var(--accent); color: var(--paper); font-weight: 600; }
.contents ul, .operations { columns: 19rem; column-gap: 2rem; margin: .75rem 0; }
.contents li, .operations li { break-inside: avoid; }
.contents li a, .operations a { display: flex; gap: .6rem; align-items: baseline; padding: .25rem 0; color: var(--ink); text-decoration: none; }
.contents li a:hover span:last-child, .operations a:hover span:last-child { text-decoration: underline; }
.contents .method, .operations .method { flex: none; width: 5.6em; padding-inline: 0; font-size: .65rem; }
.contents p { font-size: .9rem; max-width: none; color: var(--muted); }
.contents p a, .names a { white-space: nowrap; margin-right: .6rem; display: inline-block; padding: .1rem 0; }
.names { columns: 13rem; }
.operations li:target, .names li:target { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: .2em; }
.neighbours { display: flex; flex-wrap: wrap; gap: 1rem; justify-content: space-between; margin-top: 2rem; }
.neighbours a { padding: .6rem 1rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--card); text-decoration: none; }
.neighbours a:hover { border-color: var(--accent); }
.neighbours [rel=next] { margin-left: auto; text-align: right; }
.neighbours span { display: block; color: var(--muted); font-size: .8125rem; }
section { padding: 1.5rem 0 .5rem; border-top: 1px solid var(--line); margin-top: 1rem; }
article {
  background: var(--card); border: 1px solid var(--line); border-radius: .75rem; margin: 1.25rem 0;
  padding: clamp(1rem, 3vw, 1.75rem);
}
.schema h2 span { color: var(--muted); font-size: .8125rem; font-weight: 400; letter-spacing: 0; }
article:target { border-color: var(--accent); box-shadow: 0 0 0 1px var(--accent); }
.line { display: flex; flex-wrap: wrap; gap: .6rem; align-items: center; margin: .6rem 0; max-width: none; }
.path { background: none; padding: 0; font-size: 1rem; }
.method {
  display: inline-block; min-width: 4.6em; padding: .2em .5em; border: 1px solid currentcolor; border-radius: .3em;
  font-size: .75rem; font-weight: 700; letter-spacing: .04em; line-height: 1.35; text-align: center;
}
.get { color: var(--get); } .post { color: var(--post); } .put { color: var(--put); }
.patch { color: var(--patch); } .delete { color: var(--delete); }
.fields { margin: 0; border-top: 1px solid var(--line); }
.fields > div { padding: .4rem 0; border-bottom: 1px solid var(--line); }
.fields dt { font-weight: 600; }
.fields dd { margin: 0; }
.fields dd p { margin: .1rem 0; }
.fields .fields { margin: .5rem 0 0 .25rem; padding-left: .9rem; border-top: 0; border-left: 2px solid var(--line); }
.fields .fields > div:last-child { border-bottom: 0; padding-bottom: 0; }
.type, .limits { color: var(--muted); font-size: .875rem; font-weight: 400; }
.required { color: var(--required); font-size: .8125rem; font-weight: 600; margin-left: .25rem; }
.answers { border-top: 1px solid var(--line); }
.answers > * { border-bottom: 1px solid var(--line); margin: 0; max-width: none; }
.success, summary { display: flex; gap: .75rem; align-items: baseline; padding: .55rem 0; }
summary { cursor: pointer; list-style: none; }
summary::-webkit-details-marker { display: none; }
summary > span:last-child { flex: 1; min-width: 0; }
summary::after { content: "+"; color: var(--muted); font-weight: 700; padding: 0 .25rem; }
details[open] > summary::after { content: "\\2212"; }
.status { font-weight: 700; font-variant-numeric: tabular-nums; }
.s2 { color: var(--get); } .s4 { color: var(--put); } .s5 { color: var(--delete); }
.success .type { display: block; }
summary .status { margin-right: .4rem; }
.codes { margin: 0 0 .5rem; }
.codes > div { display: flex; gap: .75rem; padding: .3rem 0; }
.codes dd { margin: 0; }
.codes a { display: inline-block; margin-right: .5rem; }
.fields :target, .fields > div:target, tr:target { background: var(--mark); }
.language summary { padding: .3rem 0; color: var(--muted); font-size: .9rem; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.code { position: relative; }
.code button {
  position: absolute; top: .4rem; right: .4rem; min-height: 2rem; padding: .1rem .7rem; font-size: .8125rem;
  background: var(--shell); color: var(--shell-ink); border-color: var(--shell-edge);
}
.code button:hover { background: var(--shell-edge); }
.code:has(button) pre { padding-top: 2.9rem; }
.try { margin-top: 1.4rem; padding: 1rem 1.1rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--paper); }
.try h3 { margin: 0; }
.try > p { font-size: .9rem; }
.inputs { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 7.5rem), 1fr)); gap: 0 1rem; }
.inputs p { margin: .35rem 0; }
.inputs label { display: block; }
.result h4 { margin: 1rem 0 .3rem; font-size: .9rem; color: var(--muted); }
.result pre { max-height: 24rem; overflow-y: auto; }
.result dl { margin: 0; font-size: .875rem; }
.result dl div { display: grid; grid-template-columns: minmax(7rem, 9rem) minmax(0, 1fr); gap: 0 .75rem; padding: .15rem 0; }
.result dt { color: var(--muted); overflow-wrap: anywhere; }
.result dd { margin: 0; overflow-wrap: anywhere; min-width: 0; }
.results { padding: 0; margin: 1rem 0; list-style: none; }
.results li { padding: .6rem 0; border-bottom: 1px solid var(--line); }
.results li:last-child { border-bottom: 0; }
.results p { margin: 0; max-width: none; }
.results p + p { color: var(--muted); font-size: .9rem; }
.kind { display: inline-block; min-width: 5.5rem; color: var(--muted); font-size: .8125rem; }
.where { color: var(--muted); font-size: .875rem; }
table { border-collapse: collapse; width: 100%; margin: .75rem 0 2rem; }
th, td { text-align: left; vertical-align: top; padding: .5rem .75rem .5rem 0; border-bottom: 1px solid var(--line); }
td { font-variant-numeric: tabular-nums; width: 4.5rem; }
thead th { color: var(--muted); font-size: .875rem; }
tbody th { font-weight: 400; }
tbody th span { display: block; color: var(--muted); font-size: .9375rem; }
@media (min-width: 40rem) { .code:has(button) pre { padding-top: .9rem; padding-right: 6rem; } }
@media (min-width: 62rem) {
  .columns { display: grid; gap: 2.5rem; }
  .columns { grid-template-columns: 11rem minmax(0, 1fr); }
  .pages { position: sticky; top: 0; align-self: start; max-height: 100vh; overflow-y: auto; padding: .5rem 0; }
  .pages ul { display: block; }
  .pages a { border-color: transparent; border-radius: .4rem; }
  .fields > div { display: grid; grid-template-columns: minmax(11rem, 2fr) 3fr; gap: 0 1.5rem; }
  .fields .fields > div, .fields > div:has(> dd > .fields) { display: block; }
}
@page { margin: 12mm 10mm 15mm; @bottom-center { content: counter(page) " / " counter(pages); font: 9pt sans-serif; } }
@media print { nav, .skip, .search, .try, .code button { display: none; } h2, h3, h4 { break-after: avoid; } }
`
