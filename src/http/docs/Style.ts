// The style sheet of the reference, in the colours of the dashboard, light and dark.

export const STYLE = `:root{color-scheme:light dark;--ground:light-dark(#f6f7f9,#0d1015);--surface:light-dark(#fff,#151920);--sunken:light-dark(#eff1f5,#10141a);--border:light-dark(#dfe3ea,#2a313c);--control:light-dark(#868e9c,#6b7583);--text:light-dark(#161a22,#e7eaf0);--quiet:light-dark(#566072,#9aa4b3);--accent:light-dark(#2f4fd0,#8fa5ff);--soft:light-dark(#e9eefc,#1f2a4d)}
:root[data-theme=light]{color-scheme:light}
:root[data-theme=dark]{color-scheme:dark}
*{box-sizing:border-box}
html{scroll-padding-top:4rem}
body{margin:0;background:var(--ground);color:var(--text);font:15px/1.55 system-ui,sans-serif;display:grid;grid-template:"head head" auto "nav main" 1fr/17rem minmax(0,1fr)}
a{color:var(--accent)}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.skip{position:absolute;left:-99rem}
.skip:focus{left:1rem;top:.5rem;z-index:2;background:var(--surface);padding:.5rem 1rem}
header{grid-area:head;position:sticky;top:0;z-index:1;display:flex;flex-wrap:wrap;gap:.25rem .75rem;align-items:baseline;padding:.75rem 1.25rem;background:var(--surface);border-bottom:1px solid var(--border)}
header strong{font-size:17px}
header span{color:var(--quiet)}
header .links{margin-left:auto;display:flex;gap:1rem}
nav{grid-area:nav;position:sticky;top:3.1rem;height:calc(100vh - 3.1rem);overflow:auto;padding:1rem;background:var(--surface);border-right:1px solid var(--border);font-size:14px}
nav h2{font-size:13px;color:var(--quiet);margin:1.1rem 0 .2rem}
nav ul{list-style:none;margin:0;padding:0}
nav li a{display:grid;grid-template-columns:3.7rem 1fr;align-items:baseline;padding:.2rem .3rem;border-radius:.3rem;color:var(--text);text-decoration:none}
nav .plain a{display:block}
nav li a:hover{background:var(--soft)}
nav label{display:block;color:var(--quiet)}
input{width:100%;padding:.45rem .6rem;font:inherit;color:inherit;background:var(--surface);border:1px solid var(--control);border-radius:.4rem}
.method{display:inline-block;min-width:3.4em;font:600 11px/1.8 ui-monospace,monospace;color:var(--quiet)}
main{grid-area:main;padding:1.5rem clamp(1rem,4vw,3rem) 4rem;max-width:62rem}
h1{margin:0;font-size:26px}
main h2{margin:2.5rem 0 .25rem;font-size:21px}
h3{margin:0;font-size:17px}
h3 a{color:inherit;text-decoration:none}
h4{margin:1rem 0 .3rem;font-size:13px;color:var(--quiet)}
.lead{color:var(--quiet);max-width:46rem}
article{margin:1rem 0;padding:1.1rem 1.25rem;background:var(--surface);border:1px solid var(--border);border-radius:.7rem}
article p{margin:.35rem 0}
.address{overflow-wrap:anywhere}
code,pre{font-family:ui-monospace,monospace;font-size:13px}
code{background:var(--sunken);padding:.05em .3em;border-radius:.25em;overflow-wrap:anywhere}
table{width:100%;border-collapse:collapse;font-size:14px}
th,td{padding:.35rem .75rem .35rem 0;border-top:1px solid var(--border);text-align:left;vertical-align:top;overflow-wrap:anywhere}
th{font-weight:400;width:24%}
th b{font-size:11px;color:var(--accent)}
td p{margin:.1rem 0;color:var(--quiet)}
td table{margin:.3rem 0;font-size:13px}
figure{margin:.5rem 0;border:1px solid var(--border);border-radius:.5rem;overflow:hidden}
figcaption{display:flex;justify-content:space-between;align-items:center;padding:.2rem .3rem .2rem .75rem;font-size:13px;color:var(--quiet);border-bottom:1px solid var(--border)}
pre{margin:0;padding:.75rem;overflow:auto;background:var(--sunken)}
button{font:inherit;font-size:13px;color:var(--text);background:var(--surface);border:1px solid var(--control);border-radius:.35rem;padding:.15rem .7rem;min-height:1.8rem;cursor:pointer}
.languages{display:flex;gap:.4rem}
.language[aria-pressed=true]{background:var(--soft);border-color:var(--accent)}
[data-language=curl] figure:is([data-language=TypeScript],[data-language=Python]),[data-language=TypeScript] figure:is([data-language=curl],[data-language=Python]),[data-language=Python] figure:is([data-language=curl],[data-language=TypeScript]){display:none}
[hidden]{display:none}
@media (max-width:52rem){body{display:block}nav{position:static;height:auto;border-right:0;border-bottom:1px solid var(--border);max-height:40vh}th{width:38%}header{position:static}html{scroll-padding-top:1rem}}
`
