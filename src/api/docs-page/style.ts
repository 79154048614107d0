// Style sheet of the docs page: one column on a phone, two on a desktop, light and dark.

export const style = `
:root {
  color-scheme: light dark;
  --paper: #fbfaf7; --card: #ffffff; --ink: #1c2330; --muted: #56606f; --line: #e3dfd5; --accent: #0a5a69;
  --code: #f2efe8; --shell: #1d2633; --shell-ink: #e8ecf1; --required: #9a2f12;
  --get: #14613a; --post: #1a4f9c; --put: #845000; --patch: #673a9e; --delete: #a3241c;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #12161c; --card: #181e26; --ink: #e5e9ef; --muted: #a2acb9; --line: #2b3440; --accent: #7fcbda;
    --code: #222a35; --shell: #0b0f14; --shell-ink: #dbe2ea; --required: #f2a58c;
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
header, .columns { max-width: 78rem; margin: 0 auto; padding: 0 clamp(1rem, 4vw, 2.5rem); }
header { padding-top: clamp(2rem, 6vw, 4rem); padding-bottom: 1.5rem; }
h1, h2, h3, h4 { line-height: 1.25; margin: 0; text-wrap: balance; }
h1 { font-size: clamp(1.75rem, 5vw, 2.6rem); letter-spacing: -.02em; }
main h2 { font-size: 1.5rem; letter-spacing: -.01em; margin-bottom: .75rem; }
main h3 { font-size: 1.15rem; }
main h4 { font-size: .95rem; margin: 1.6rem 0 .4rem; color: var(--muted); }
p { margin: .5rem 0; max-width: 44rem; }
.lead { font-size: 1.125rem; color: var(--muted); max-width: 40rem; }
.notes { display: flex; flex-wrap: wrap; gap: .1rem 1.25rem; color: var(--muted); font-size: .9rem; }
nav { font-size: .9rem; padding-bottom: 1.5rem; }
nav h2 { font-size: 1rem; margin-bottom: .25rem; }
nav h3 { font-size: .85rem; color: var(--muted); margin: .9rem 0 .1rem; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav a { display: flex; gap: .6rem; align-items: center; padding: .22rem 0; color: var(--ink); text-decoration: none; }
nav a:hover span:last-child, nav a:hover:not(:has(span)) { text-decoration: underline; }
nav .method { flex: none; width: 5.6em; padding-inline: 0; font-size: .65rem; }
section { padding: 2rem 0 1rem; border-top: 1px solid var(--line); }
article {
  background: var(--card); border: 1px solid var(--line); border-radius: .75rem; margin: 1.25rem 0;
  padding: clamp(1rem, 3vw, 1.75rem);
}
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
.fields > div { padding: .6rem 0; border-bottom: 1px solid var(--line); }
.fields dt { font-weight: 600; line-height: 1.7; }
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
table { border-collapse: collapse; width: 100%; margin: .75rem 0 2rem; }
th, td { text-align: left; vertical-align: top; padding: .5rem .75rem .5rem 0; border-bottom: 1px solid var(--line); }
td { font-variant-numeric: tabular-nums; width: 4.5rem; }
thead th { color: var(--muted); font-size: .875rem; }
tbody th { font-weight: 400; }
tbody th span { display: block; color: var(--muted); font-size: .9375rem; }
@media (min-width: 62rem) {
  .columns { display: grid; grid-template-columns: 15rem minmax(0, 1fr); gap: 3rem; }
  nav { position: sticky; top: 0; align-self: start; max-height: 100vh; overflow-y: auto; padding: 2rem 0; }
  .fields > div { display: grid; grid-template-columns: minmax(11rem, 2fr) 3fr; gap: 0 1.5rem; }
  .fields .fields > div, .fields > div:has(> dd > .fields) { display: block; }
}
@media print { nav, .skip { display: none; } article { break-inside: avoid-page; } }
`
