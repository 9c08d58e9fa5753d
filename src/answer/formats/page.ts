/** The style of a report: light or dark as the reader prefers, for paper, and for screens as small as a phone. */
export const style = `
:root{color-scheme:light dark;--page:#f5f6f8;--card:#fff;--ink:#182030;--soft:#505a6e;--line:#d9dde5;--band:#e6eaf2;--accent:#1f4fbf;--t:#1a7f37;--f:#b3261e;--u:#8a5a00;--b:#667085;--n:#7a3fb5;--good:#e7f5ea;--bad:#fdecea}
@media(prefers-color-scheme:dark){:root{--page:#0d121c;--card:#151c29;--ink:#e7ebf3;--soft:#a8b2c6;--line:#2b3547;--band:#243048;--accent:#8fb4ff;--t:#4ac26b;--f:#ff8a80;--u:#e3b341;--b:#8b97ad;--n:#c7a0f5;--good:#12291b;--bad:#371a1a}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;scroll-padding-top:1rem}
body{margin:0;background:var(--page);color:var(--ink);font:15px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;overflow-wrap:break-word}
header,main,footer{max-width:72rem;margin:0 auto;padding:0 1.25rem}
header{padding-top:2.25rem}
h1{font-size:1.9rem;line-height:1.2;margin:.15rem 0 .6rem;font-weight:680;letter-spacing:-.01em;font-variant-numeric:tabular-nums}
h2{font-size:1.2rem;margin:0 0 .75rem;letter-spacing:-.005em}
h3{font-size:1rem;margin:1.25rem 0 .4rem}
p{margin:.4rem 0}
a{color:var(--accent)}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:3px}
.over{color:var(--soft);font-size:.85rem;margin:0}
.soft,small{color:var(--soft)}
small{font-size:.87em}
pre{overflow-x:auto;background:var(--page);border:1px solid var(--line);border-radius:6px;padding:.6rem .8rem}
code{font:.92em ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
.verdict{display:inline-block;font-weight:700;letter-spacing:.03em;padding:.15rem .7rem;border-radius:99px;border:1.5px solid}
.verdict.yes{color:var(--t);background:var(--good)}
.verdict.no{color:var(--f);background:var(--bad)}
section{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:1.25rem 1.4rem;margin:1.1rem 0}
.answers{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,19rem),1fr));gap:1.1rem;margin:1.1rem 0}
.answers section{margin:0;border-top:4px solid var(--f)}
.answers section.yes{border-top-color:var(--t)}
.answers h2{font-size:.9rem;font-weight:600;color:var(--soft);margin:0}
.answers strong{display:block;font-size:1.3rem;line-height:1.3}
.answers ul{margin:.5rem 0 0;padding-left:1.1rem}
.answers li{margin:.15rem 0}
nav ul{display:flex;flex-wrap:wrap;gap:.25rem 1.1rem;list-style:none;padding:0;margin:1rem 0 0}
.tag{display:inline-block;white-space:nowrap;border:1px solid;border-radius:5px;padding:0 .45rem;font-size:.85rem;font-weight:600;color:var(--u)}
.tag.good{color:var(--t)}.tag.bad{color:var(--f)}
#timeline svg[role]{display:block;max-width:100%;height:auto;margin:0 0 .6rem}
.legend{list-style:none;margin:0;padding:0;display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,19rem),1fr));gap:.3rem 1.2rem;font-size:.9rem}
.legend li{display:flex;gap:.55rem;align-items:flex-start}
.legend span{color:var(--soft)}
.legend b{color:var(--ink)}
.key{flex:none;margin-top:.2rem}
.m-t{fill:var(--t)}.m-f{fill:var(--f)}.m-u{fill:var(--u)}.m-n{fill:var(--n)}
.m-b{fill:none;stroke:var(--b);stroke-width:1.2}
.m-gap{fill:none;stroke:var(--f);stroke-width:1.6}
.band{fill:var(--band)}
.landing{fill:none;stroke:var(--ink);stroke-width:1.1}
.stop{fill:var(--ink)}
.scroll{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-size:.93rem}
th,td{text-align:left;vertical-align:top;padding:.4rem .7rem .4rem 0;border-top:1px solid var(--line)}
thead th{border-top:0;color:var(--soft);font-weight:600;font-size:.87rem}
details{border-top:1px solid var(--line);padding:.5rem 0}
summary{cursor:pointer;font-weight:600}
.notice{border:1.5px solid var(--u);border-radius:10px;background:var(--card);padding:.6rem 1rem;margin:1rem 0}
.brief{padding:.55rem 1.4rem;margin:.5rem 0}.brief h2{font-size:1rem;margin:0}.brief p{margin:0}
.sign{min-height:3rem;color:var(--soft)}
.note{border-left:3px solid var(--u);padding:.1rem 0 .1rem .8rem;color:var(--soft)}
[hidden]{display:none!important}
footer{color:var(--soft);font-size:.87rem;padding-bottom:3rem}
dl{display:grid;grid-template-columns:auto minmax(0,1fr);gap:.1rem 1rem;margin:.5rem 0}
dd{margin:0}
@media(max-width:34rem){header{padding-top:1.4rem}header,main,footer{padding-left:.8rem;padding-right:.8rem}section{padding:.8rem .9rem;margin:.7rem 0}.brief{padding:.4rem .9rem}.answers{gap:.6rem;margin:.7rem 0}.answers strong{font-size:1.1rem}h1{font-size:1.4rem}h2{margin-bottom:.4rem}table{font-size:.88rem}.scroll thead{display:none}.scroll tr{display:block;border-top:1px solid var(--line);padding:.4rem 0}.scroll td{display:block;border:0;padding:.1rem 0}.scroll td::before{content:attr(data-column) ": ";color:var(--soft)}}
@media print{:root{color-scheme:light;--page:#fff;--card:#fff;--ink:#000;--soft:#333;--line:#bbb;--band:#e4e4e4;--accent:#000;--t:#1a7f37;--f:#b3261e;--u:#8a5a00;--b:#667085;--n:#7a3fb5;--good:#fff;--bad:#fff}body{font-size:9.5pt}header,main,footer{max-width:none;padding:0}section{border:0;border-radius:0;padding:.5rem 0;break-inside:auto}.answers section,tr{break-inside:avoid}nav{display:none}#route table{font-size:8.5pt}#route th,#route td{padding-right:.3rem}details::details-content{content-visibility:visible;block-size:auto}summary{list-style:none}.scroll{overflow:visible}thead{display:table-header-group}a{color:inherit}*{-webkit-print-color-adjust:exact;print-color-adjust:exact}}
`;
