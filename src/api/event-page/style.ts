// Style sheet of the page of an event: one column, light and dark, and on paper.

const PAGE = `
:root {
  color-scheme: light dark;
  --paper: #fbfaf7; --card: #ffffff; --ink: #1c2330; --muted: #56606f; --line: #e3dfd5; --accent: #0a5a69;
  --note: #e2eff0;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --paper: #12161c; --card: #181e26; --ink: #e5e9ef; --muted: #a2acb9; --line: #2b3440; --accent: #7fcbda;
    --note: #16323a;
  }
}
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body {
  margin: 0; background: var(--paper); color: var(--ink); overflow-wrap: break-word;
  font: 1rem/1.6 ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
}
a { color: var(--accent); text-underline-offset: .15em; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: .2em; }
.skip { position: absolute; inset-inline-start: -100rem; padding: .5rem 1rem; background: var(--card); }
.skip:focus { inset-inline-start: .5rem; top: .5rem; z-index: 1; }
header { border-bottom: 1px solid var(--line); }
header p, main { max-width: 44rem; margin: 0 auto; padding: 1rem clamp(1rem, 4vw, 2rem); }
header a { color: inherit; font-weight: 650; font-size: 1.1rem; text-decoration: none; }
header a:hover { text-decoration: underline; }
main { padding-bottom: 4rem; }
h1 { margin: 1rem 0 .5rem; font-size: clamp(1.6rem, 5vw, 2.2rem); line-height: 1.2; letter-spacing: -.01em; text-wrap: balance; }
h2 { margin: 2rem 0 .4rem; font-size: 1.1rem; line-height: 1.3; }
p { margin: .3rem 0; }
.when { font-size: 1.15rem; font-weight: 600; text-wrap: balance; }
li { text-wrap: pretty; }
.quiet { color: var(--muted); }
.note { margin: .8rem 0; padding: .7rem 1rem; border-inline-start: .25rem solid var(--accent); border-radius: .4rem; background: var(--note); }
.text { margin-top: 1.2rem; white-space: pre-wrap; }
ul { margin: .3rem 0; padding-inline-start: 1.2rem; }
li { padding: .15rem 0; }
.choices { margin-top: .8rem; list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: .6rem; }
.apart { margin-top: 2rem; }
.choices a, .choices button {
  display: inline-block; color: var(--accent); font: inherit; cursor: pointer; padding: .55rem .9rem; border: 1px solid var(--muted); border-radius: .5rem;
  background: var(--card); text-decoration: none;
}
.choices :is(a, button):hover { border-color: var(--accent); }
.choices .main { background: var(--accent); border-color: var(--accent); color: var(--paper); font-weight: 600; }
[role=status] { align-self: center; color: var(--muted); }
nav.languages { border-top: 1px solid var(--line); font-size: .875rem; }
nav.languages ul {
  max-width: 44rem; margin: 0 auto; padding: 1rem clamp(1rem, 4vw, 2rem); list-style: none;
  display: flex; flex-wrap: wrap; gap: .3rem 1.2rem;
}
del { color: var(--muted); }
.tone {
  --ink-of-event: var(--muted); --soft-of-event: transparent;
  display: inline-block; max-width: 100%; padding: .1rem .6rem; border-inline-start: .25rem solid var(--ink-of-event);
  border-radius: .3rem; background: var(--soft-of-event); color: var(--ink-of-event); font-weight: 600;
}
.address { display: none; }
@media print {
  @page { margin: 12mm 10mm 15mm; @bottom-center { content: counter(page) " / " counter(pages); color: #555; font: 9pt sans-serif; } }
  .skip, .choices, .add, .map, .languages, #changed { display: none; }
  .address { display: block; margin-top: 2rem; padding-top: .4rem; border-top: 1px solid var(--line); }
  a { color: inherit; }
  :root { color-scheme: light; }
  header { border: 0; }
  header p, main { max-width: none; padding: 0; }
}
`

/** The sheet with the colour of a category, as one: the policy of the page names its hash. */
export const styleWith = (colorRule: string): string => (colorRule === '' ? PAGE : `${PAGE}${colorRule}\n`)
