/** Served as a file, because the pages allow no inline style. */
export const BANK_CSS = `:root{color-scheme:light dark;--ink:#1b2733;--paper:#fff;--soft:#f2f5f8;--line:#868f9e;--go:#0b6e4f;--focus:#1668d6}
@media (prefers-color-scheme:dark){:root{--ink:#e8edf2;--paper:#161d24;--soft:#212b35;--line:#6f7b8c;--go:#15805d;--focus:#7db8ff}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 -apple-system,BlinkMacSystemFont,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
main{max-width:26rem;margin:0 auto;padding:1.25rem}
h1{font-size:1.25rem;margin:.75rem 0 .5rem}
.ribbon{margin:0;padding:.375rem .75rem;border-radius:.375rem;background:var(--soft);font-size:.8125rem}
button{display:block;width:100%;min-height:2.75rem;margin-top:.75rem;border:1px solid var(--line);border-radius:.5rem;
background:var(--paper);color:var(--ink);font:inherit;font-weight:600;cursor:pointer}
button.approve{background:var(--go);border-color:var(--go);color:#fff}
button:focus{outline:3px solid var(--focus);outline-offset:2px}
`;
