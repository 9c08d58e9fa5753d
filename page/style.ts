/** What the page has beside the style of a report. */
export const style = `
form{display:flex;flex-wrap:wrap;gap:0.8rem 1.1rem;align-items:end;background:var(--card);border:1px solid var(--line);border-radius:10px;padding:1rem 1.4rem}
form label{display:grid;gap:0.15rem;font-size:0.87rem;color:var(--soft);flex:1 1 6.5rem}
form label.main{flex:2 1 11rem}
input,select,button{font:inherit;color:var(--ink);background:var(--page);border:1px solid var(--b);border-radius:6px;padding:0.35rem 0.6rem;min-height:2.4rem;min-width:0;max-width:100%}
form label.main input{font-size:1.15rem;font-variant-numeric:tabular-nums}button{cursor:pointer;font-weight:600}
button:hover{border-color:var(--accent);color:var(--accent)}
.file{display:inline-flex;flex-wrap:wrap;gap:0.5rem;align-items:center;max-width:100%}
#line{font-size:1.1rem;margin:0 0 0.6rem}.verdict{margin-right:0.35rem}.verdict.plan{color:var(--u)}#picture{cursor:crosshair;touch-action:pan-y;border-radius:6px}
#picture svg{display:block;width:100%;height:auto}
#picture text{fill:var(--soft);font-size:11px;font-variant-numeric:tabular-nums}
#picture .version,#picture .hop-number{fill:var(--ink);text-anchor:middle;paint-order:stroke;stroke:var(--card);stroke-width:3px}
#picture .hop-number{font-weight:700;stroke:none}.hop{stroke-width:1.2}.hop.rolls{fill:var(--good);stroke:var(--t)}
.hop.recreate{fill:var(--band);stroke:var(--u);stroke-dasharray:5 2}.hop.uncertified{fill:var(--bad);stroke:var(--f);stroke-dasharray:2 2}.l-t{fill:var(--t)}
.l-f{fill:var(--f)}.l-u{fill:var(--u)}.l-n{fill:var(--n)}.l-b{fill:var(--b);opacity:0.5}.tick{stroke:var(--line);fill:none}
.cursor{stroke:var(--accent);stroke-width:2;fill:none}.mark-stop{fill:var(--ink)}.mark-minimum{fill:var(--accent)}.mark-issue{fill:none;stroke:var(--f);stroke-width:2}
#picture .landing{stroke-dasharray:2 2}#readout{min-height:6.5rem;margin:0.6rem 0}#readout h3{margin:0;font-variant-numeric:tabular-nums}
#readout ul{margin:0.2rem 0;padding-left:1.1rem}#lens{overflow:hidden}#lens g{cursor:pointer}#lens .free{fill:transparent}
#lens .here{fill:var(--band);stroke:var(--accent)}
#way .legend{grid-template-columns:repeat(auto-fit,minmax(min(100%,13rem),1fr));margin:0.8rem 0}
.file input{flex:1 1 12rem}#fault:empty{display:none}#fault{border:1.5px solid var(--f);border-radius:10px;padding:0.6rem 1rem}pre{max-height:28rem;overflow:auto}
td{overflow-wrap:anywhere}td ul{margin:0;padding-left:1.1rem}
#hop-table>:first-child td:nth-child(2),#hop-table>:first-child td:nth-child(3),#months td:not(:last-child){white-space:nowrap}
@media (min-width:100rem){body{font-size:17px}header,main,footer{max-width:min(92rem,92vw)}}
@media (min-width:200rem){body{font-size:22px}header,main,footer{max-width:150rem}}
@media (max-width:34rem){form{padding:0.6rem 0.9rem;gap:0.4rem 0.8rem}form label,form label.main{flex-basis:8.5rem}form input,form select{padding:0.2rem 0.5rem;min-height:2.1rem}.notice{padding:0.4rem 0.9rem;margin:0.6rem 0}#line{font-size:1rem}}
@media (prefers-reduced-motion:no-preference){button{transition:color 0.15s,border-color 0.15s}}
@media print{form,button,#data,#lens,#how,.cursor,#readout{display:none}pre{max-height:none;white-space:pre-wrap}}
`;
