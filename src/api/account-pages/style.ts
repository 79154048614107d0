// The look of the pages behind mail links: one narrow column, light or dark as the reader has it.

export const style = `
:root { color-scheme: light dark; --paper: #fbfaf7; --ink: #1c2330; --muted: #56606f; --line: #7c8593; --accent: #0a5a69;
  --on-accent: #ffffff; --good: #14613a; --bad: #9a2f12; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #12161c; --ink: #e5e9ef; --muted: #a2acb9; --line: #7f8a99; --accent: #7fcbda; --on-accent: #0b1a1e;
    --good: #7ed3a1; --bad: #f2a58c; }
}
*, *::before, *::after { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); overflow-wrap: break-word;
  font: 1rem/1.6 ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
main { max-width: 30rem; margin: 0 auto; padding: clamp(1.5rem, 8vh, 5rem) 1.25rem; }
h1 { font-size: clamp(1.5rem, 6vw, 2rem); line-height: 1.25; margin: 0 0 1rem; text-wrap: balance; }
.site, .hint { color: var(--muted); }
.site { margin: 0 0 .25rem; }
label { display: block; font-weight: 600; margin-top: 1rem; }
input, button { font: inherit; min-height: 2.75rem; padding: .5rem .75rem; border-radius: .5rem; border: 1px solid var(--line); }
input { width: 100%; min-width: 0; background: transparent; color: inherit; }
button { background: transparent; color: var(--accent); cursor: pointer; }
[type=submit] { margin-top: 1rem; width: 100%; background: var(--accent); color: var(--on-accent); border-color: var(--accent);
  font-weight: 600; }
.pair { display: flex; gap: .5rem; }
a { color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
#outcome { min-height: 1.6em; font-weight: 600; }
#outcome:focus { outline: none; }
.good { color: var(--good); }
.bad { color: var(--bad); }
[hidden] { display: none; }
`
