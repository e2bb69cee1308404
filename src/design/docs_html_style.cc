#include "design/docs_html_style.h"

namespace cairn::design {

// Entities have a hue each (--h); everything coloured derives from it, so that light and dark differ in two
// numbers.
const std::string_view kDocsStyle = R"css(
:root {
  color-scheme: light dark;
  --paper: #fbfaf8; --card: #ffffff; --line: #e4e0d9; --ink: #23211e; --soft: #6b665e; --code: #f3f0ea;
  --accent: #8a5a2b; --tint: 92%; --shade: 34%; --edge: 62%;
  --error: #b3261e; --warning: #8f6400; --note: #4a6078; --good: #2e6b3f;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #171614; --card: #201f1c; --line: #37342f; --ink: #ece8e1; --soft: #a39c91; --code: #2a2825;
    --accent: #d9a066; --tint: 25%; --shade: 84%; --edge: 55%;
    --error: #ff8a80; --warning: #e8b64a; --note: #9db4cc; --good: #86c798;
  }
}
* { box-sizing: border-box; }
html { scroll-behavior: smooth; scroll-padding-top: 3.5rem; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif;
}
code, .key { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: .86em; }
code { background: var(--code); border-radius: 4px; padding: .1em .32em; overflow-wrap: anywhere; }
a { color: var(--accent); text-decoration: none; }
a:hover { text-decoration: underline; }
.page { display: grid; grid-template-columns: 15rem minmax(0, 1fr); max-width: 84rem; margin: 0 auto; }
nav { position: sticky; top: 0; align-self: start; height: 100vh; overflow-y: auto; padding: 2rem 1rem 2rem 1.5rem; font-size: .88rem; }
nav ul { list-style: none; margin: 0 0 .9rem; padding: 0; }
nav ul ul { margin: .15rem 0 .4rem .7rem; border-left: 1px solid var(--line); padding-left: .7rem; }
nav li { margin: .12rem 0; }
nav ul ul a { color: var(--soft); overflow-wrap: anywhere; }
nav > ul > li > a { font-weight: 600; color: var(--ink); }
main { padding: 2.5rem 2rem 6rem; min-width: 0; }
header h1 { font-size: 2.3rem; line-height: 1.15; margin: 0 0 .4rem; letter-spacing: -.02em; }
header p { margin: 0 0 1rem; font-size: 1.1rem; color: var(--soft); max-width: 46rem; }
.tags { display: flex; flex-wrap: wrap; gap: .4rem; }
.tag { border: 1px solid var(--line); border-radius: 999px; padding: .05rem .7rem; font-size: .82rem; color: var(--soft); background: var(--card); }
h2 { font-size: 1.45rem; margin: 3.2rem 0 .8rem; letter-spacing: -.01em; }
h3 { font-size: 1.08rem; margin: 0; }
h4 { font-size: .78rem; margin: 1.4rem 0 .5rem; color: var(--soft); text-transform: uppercase; letter-spacing: .07em; }
p.doc { margin: .3rem 0 .8rem; color: var(--soft); max-width: 46rem; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 1.1rem 1.25rem; margin: 0 0 1rem; }
.card > .top { display: flex; flex-wrap: wrap; align-items: baseline; gap: .3rem .7rem; }
.facts { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .22rem 1rem; margin: .7rem 0 0; font-size: .92rem; }
.card > .facts:first-child { margin-top: 0; }
.facts dt { color: var(--soft); }
.facts dd { margin: 0; overflow-wrap: anywhere; }
.chip {
  display: inline-block; border-radius: 6px; padding: .02rem .5rem; font-size: .8rem; font-weight: 600; white-space: nowrap;
  background: hsl(var(--h) 55% var(--tint)); color: hsl(var(--h) 60% var(--shade));
}
a.chip:hover { text-decoration: none; filter: brightness(.96); }
.key { overflow-wrap: anywhere; }
.key i { font-style: normal; color: var(--accent); background: color-mix(in srgb, var(--accent) 12%, transparent); border-radius: 4px; padding: 0 .22em; }
.picture { columns: 25rem 2; column-gap: .9rem; margin: .9rem 0 0; }
.picture.single { columns: 1; }
.partition { border: 1px solid var(--line); border-radius: 10px; overflow: hidden; background: var(--card); break-inside: avoid; margin: 0 0 .9rem; }
.partition > .pk { padding: .55rem .8rem; background: var(--code); border-bottom: 1px solid var(--line); }
.partition .label { font-size: .72rem; color: var(--soft); display: block; }
.partition .template { display: block; color: var(--soft); font-size: .8em; margin-top: .1rem; }
.partition ol { list-style: none; margin: 0; padding: .45rem .55rem; display: grid; gap: .35rem; }
.partition li {
  display: flex; flex-wrap: wrap; justify-content: space-between; gap: .1rem .7rem; align-items: center;
  border-left: 4px solid hsl(var(--h) 45% var(--edge)); background: hsl(var(--h) 55% var(--tint) / .38);
  border-radius: 5px; padding: .28rem .55rem;
}
.partition .key { font-size: .8rem; }
.partition .template .key { font-size: .76rem; }
.partition li .key { min-width: 0; }
.partition li .when { flex-basis: 100%; font-size: .78rem; color: var(--soft); }
.scroll { overflow-x: auto; margin: .8rem 0 0; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th { text-align: left; font-weight: 600; font-size: .78rem; color: var(--soft); padding: .3rem .9rem .3rem 0; border-bottom: 1px solid var(--line); white-space: nowrap; }
td { vertical-align: top; padding: .36rem .9rem .36rem 0; border-bottom: 1px solid color-mix(in srgb, var(--line) 55%, transparent); }
tr:last-child td { border-bottom: 0; }
td.name { white-space: nowrap; }
td.rules { width: 38%; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
.muted { color: var(--soft); }
.call { font-weight: 600; font-size: .8rem; color: var(--accent); white-space: nowrap; }
.steps { list-style: none; margin: .6rem 0 0; padding: 0; display: grid; gap: .45rem; }
.steps li { background: var(--code); border-radius: 8px; padding: .5rem .75rem; }
.steps li code { background: none; padding: 0; }
.steps .gives { display: flex; flex-wrap: wrap; gap: .3rem; margin-top: .3rem; }
.cost { margin-left: auto; font-size: .84rem; color: var(--soft); white-space: nowrap; }
.cost b { color: var(--ink); font-variant-numeric: tabular-nums; }
details > summary { cursor: pointer; color: var(--soft); font-size: .9rem; margin: .7rem 0 0; }
.finding { display: grid; grid-template-columns: 5.2rem minmax(0, 1fr); gap: .1rem .9rem; padding: .55rem 0; border-bottom: 1px solid var(--line); }
.finding:last-child { border-bottom: 0; }
.finding .code { font-weight: 700; font-size: .84rem; }
.finding.error .code { color: var(--error); } .finding.warning .code { color: var(--warning); } .finding.note .code { color: var(--note); }
.finding .about { font-weight: 600; } .finding .line { color: var(--soft); font-size: .84rem; }
.finding .reason { grid-column: 2; color: var(--soft); font-size: .92rem; }
.good { color: var(--good); }
.values { display: flex; flex-wrap: wrap; gap: .3rem; }
@media (max-width: 60rem) {
  .page { display: block; }
  nav { position: sticky; z-index: 1; height: auto; overflow-x: auto; padding: .7rem 1rem; background: var(--paper); border-bottom: 1px solid var(--line); }
  nav > ul { display: flex; gap: 1.1rem; margin: 0; white-space: nowrap; }
  nav ul ul { display: none; }
  main { padding: 1.4rem 1rem 4rem; }
  header h1 { font-size: 1.8rem; }
  .card { padding: .95rem 1rem; }
  .cost { margin-left: 0; flex-basis: 100%; }
}
@media (max-width: 34rem) {
  .facts { grid-template-columns: minmax(0, 1fr); gap: 0; }
  .facts dd { margin-bottom: .45rem; }
  .finding { grid-template-columns: minmax(0, 1fr); }
  .finding .reason { grid-column: 1; }
  table.stack thead { display: none; }
  table.stack tr { display: block; padding: .45rem 0; border-bottom: 1px solid var(--line); }
  table.stack tr:last-child { border-bottom: 0; }
  table.stack td { display: inline; padding: 0 .5rem 0 0; border: 0; }
  table.stack td.rules, table.stack td.meaning { display: block; width: auto; font-size: .88rem; }
  table.keys { min-width: 36rem; }
}
@media print { nav { display: none; } .page { display: block; } .card, .partition { break-inside: avoid; } }
)css";

}  // namespace cairn::design
