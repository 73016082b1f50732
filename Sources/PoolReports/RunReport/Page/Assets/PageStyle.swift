/// The style of the page.
enum PageStyle {
  static let text = #"""
    :root{color-scheme:light dark;--bg:#fff;--fg:#1b1f24;--muted:#57606a;--line:#d8dee4;
      --panel:#f6f8fa;--link:#0b5cad;--good:#1a7f37;--bad:#c0271d;--executing:#3b78b8;
      --waiting:#a78bd6;--processors:#3f9c78;--succeeded:#3b78b8;--unsuccessful:#c9352b;
      --repeated:#d98e04;--starting:#c3cbd4;--dependencies:#dde2e8;--limit:#c9b6ea;--room:#b4cdea;
      --retry:#f3d79b;--handover:#a3b8cd;--ending:#edf0f3;--dim:#e7eaee;--unfinished:#7d8590;
      --pause:#ecc6c3;--delay:#c8ddb8;
      --c0:#3b78b8;--c1:#62b6d6;--c2:#2e8b57;--c3:#cbb02f;--c4:#b0578d;--c5:#8f78c9;--c6:#6f94a8;
      --c7:#8cb36b;--c8:#a8763e;--c9:#7fa3e0;--c10:#d29ac2;--c11:#9aa1ab}
    @media (prefers-color-scheme:dark){:root{--bg:#12171d;--fg:#e6eaef;--muted:#9aa4af;
      --line:#323a43;--panel:#1b222a;--link:#79b8ff;--good:#57c46f;--bad:#ff7b72;
      --executing:#5a98d8;--waiting:#8a70b8;--processors:#4fae88;--succeeded:#5a98d8;
      --unsuccessful:#ee5a50;--repeated:#e0a03c;--starting:#4a535d;--dependencies:#333b44;
      --limit:#5f4a8a;--room:#34557c;--retry:#6e5826;--handover:#475d74;--ending:#20272e;
      --pause:#6b413e;--delay:#4c5f3d;
      --dim:#262d35;--unfinished:#8b949e;--c0:#5a98d8;--c1:#7cc9e6;--c2:#4fae78;--c3:#d9c255;
      --c4:#c978aa;--c5:#a794de;--c6:#8aaabc;--c7:#a3c985;--c8:#c08f58;--c9:#8fb3ee;--c10:#dfadd0;
      --c11:#7f8893}}
    *{box-sizing:border-box}
    html{scroll-behavior:smooth}
    @media (prefers-reduced-motion:reduce){html{scroll-behavior:auto}}
    html:not(.scripts) .js,[hidden]{display:none!important}
    body{margin:0 auto;max-width:1240px;padding:24px 32px 96px;background:var(--bg);color:var(--fg);
      font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;
      font-variant-numeric:tabular-nums;overflow-wrap:break-word}
    .skip{position:absolute;left:-9999px}
    .skip:focus{left:8px;top:8px;background:var(--bg);padding:6px 10px;z-index:9}
    a{color:var(--link);text-underline-offset:2px}
    :focus-visible{outline:2px solid var(--link);outline-offset:2px}
    h1{display:inline-block;margin:0 12px 0 0;font-size:28px;line-height:1.2;overflow-wrap:anywhere}
    h2{margin:0 0 8px;font-size:20px;line-height:1.3}
    h3{margin:24px 0 6px;font-size:16px}
    header h2{margin-top:22px}
    section{margin-top:36px;padding-top:22px;border-top:1px solid var(--line);scroll-margin-top:8px}
    p{margin:0 0 6px}
    .kicker,.note,.axis,.share{color:var(--muted)}
    .share{white-space:nowrap}
    .kicker{margin:0;font-size:13px}
    .note,.axis{font-size:14px}
    .badge{display:inline-block;margin:0;padding:1px 12px;border:1.5px solid;border-radius:99px;
      font-weight:600;vertical-align:4px}
    .good{color:var(--good)}
    .bad{color:var(--bad)}
    .verdict{margin:8px 0 14px;max-width:1000px;font-size:17px}
    .verdict p:first-child{font-size:20px;font-weight:600}
    .facts{display:flex;flex-wrap:wrap;gap:4px 28px;margin:0;padding:10px 14px;border-radius:8px;
      background:var(--panel);font-size:14px}
    .facts div{display:flex;gap:8px;min-width:0}
    .facts .wide{flex-basis:100%}
    dt{color:var(--muted);white-space:nowrap}
    dd{margin:0;min-width:0;overflow-wrap:anywhere}
    code,pre,kbd{font:13px/1.45 ui-monospace,SFMono-Regular,Menlo,"DejaVu Sans Mono",monospace}
    kbd{padding:0 5px;border:1px solid var(--line);border-radius:4px;background:var(--panel)}
    pre{margin:6px 0 0;padding:8px 10px;border-radius:6px;background:var(--panel);
      white-space:pre-wrap;overflow-wrap:anywhere;max-height:9em;overflow:auto}
    .advice{margin:0;padding:0;list-style:none}
    .advice li{display:grid;grid-template-columns:120px 1fr;gap:14px;align-items:center;padding:3px 0}
    .bar{display:block;width:100%;height:10px;border-radius:3px;background:var(--panel)}
    .bar.tall{height:22px;background:none}
    svg.account{display:block;width:100%;height:30px;border-radius:6px}
    .legend{display:flex;flex-wrap:wrap;gap:2px 18px;margin:8px 0;padding:0;list-style:none;
      font-size:14px}
    .legend.account{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(460px,100%),1fr))}
    .legend li{display:flex;gap:8px;align-items:baseline}
    .legend i{flex:none;width:12px;height:12px;border-radius:3px;border:1px solid #0003}
    .controls{display:flex;flex-wrap:wrap;gap:8px 16px;align-items:center;margin-bottom:6px;
      font-size:14px}
    .controls label{display:flex;gap:6px;align-items:center}
    input,select,button{min-height:32px;padding:3px 10px;border:1px solid var(--line);
      border-radius:6px;background:var(--panel);color:var(--fg);font:inherit}
    input[type=checkbox]{min-height:0;width:16px;height:16px}
    #find{width:350px;max-width:62vw}
    ::placeholder{color:var(--muted);opacity:1}
    button{cursor:pointer}
    .buttons{display:flex;gap:6px}
    #found{color:var(--muted)}
    #curves{position:relative;touch-action:pan-y;cursor:crosshair}
    .curve{display:grid;grid-template-columns:104px minmax(0,1fr);align-items:center;margin-bottom:4px;
      font-size:12px;line-height:1.25;color:var(--muted)}
    .curve b{display:block;font-weight:400;color:var(--fg)}
    .curve svg{display:block;width:100%;height:40px;background:var(--panel);border-radius:3px}
    #brush{position:absolute;top:-2px;bottom:-2px;border:2px solid var(--fg);border-radius:4px;
      pointer-events:none}
    .axis{display:flex;justify-content:space-between;margin:0 0 8px;padding-left:104px;font-size:12px}
    .scripts .axis{display:none}
    #stage{max-height:78vh;overflow-y:auto;overflow-x:hidden}
    #chart{display:block;width:100%;touch-action:pan-y;cursor:grab}
    nav{display:flex;flex-wrap:wrap;gap:4px 20px;margin-top:20px;font-size:14px}
    .failures{margin:0;padding:0;list-style:none}
    .failures li{margin:0 0 10px;padding:4px 0 4px 12px;border-left:3px solid var(--bad);
      overflow-wrap:anywhere}
    .failures b{color:var(--bad)}
    .scroll{overflow-x:auto;max-width:100%}
    table{border-collapse:collapse;width:100%;font-size:14px}
    th{padding:4px 12px 4px 0;border-bottom:1px solid var(--line);color:var(--muted);font-weight:400;
      text-align:left;white-space:nowrap;vertical-align:bottom}
    td{padding:4px 12px 4px 0;border-bottom:1px solid var(--line);vertical-align:top;
      overflow-wrap:anywhere}
    .n{text-align:right;white-space:nowrap}
    .span{width:22%;min-width:120px;vertical-align:middle}
    .command{max-width:340px;white-space:nowrap;overflow:hidden;text-overflow:ellipsis}
    #why .scroll,#workers .scroll{max-height:420px;overflow:auto}
    .graph{display:block}
    .edge{fill:none;stroke:var(--muted);stroke-width:1.2}
    .node{fill:var(--panel);stroke:var(--line)}
    .node.bad{stroke:var(--bad);stroke-width:2}
    .graph text{fill:var(--fg);font-size:13px}
    .graph .size{fill:var(--muted);font-size:12px}
    #list:focus-visible{outline-offset:-2px}
    .scripts #list{height:440px;overflow:auto;border:1px solid var(--line);border-radius:8px}
    .scripts #table{table-layout:fixed}
    .scripts #table th{position:sticky;top:0;background:var(--panel);padding:4px 10px}
    .scripts #table td{height:30px;padding:3px 10px;white-space:nowrap;overflow:hidden;
      text-overflow:ellipsis;vertical-align:middle}
    .scripts #table th:first-child{width:30%}
    #table th button{min-height:24px;padding:0 2px;border:0;background:none;color:inherit}
    #rows tr[data-op]{cursor:pointer}
    #rows tr[data-op]:hover,#rows tr.on{background:var(--panel)}
    #panel{position:fixed;z-index:5;right:16px;bottom:16px;width:min(460px,calc(100vw - 32px));
      max-height:min(62vh,560px);overflow:auto;padding:14px 16px;border:1px solid var(--line);
      border-radius:10px;background:var(--bg);box-shadow:0 6px 28px #0005;font-size:14px}
    #panel h2{margin:0 90px 6px 0;font-size:17px;overflow-wrap:anywhere}
    #panel dl{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:2px 14px;margin:0}
    #panel .buttons{position:absolute;top:10px;right:12px}
    #tip{position:fixed;z-index:6;max-width:min(380px,90vw);padding:6px 10px;border-radius:6px;
      background:var(--fg);color:var(--bg);font-size:13px;line-height:1.4;pointer-events:none;
      overflow-wrap:anywhere}
    .b-succeeded{background:var(--succeeded)}.f-succeeded{fill:var(--succeeded)}
    .b-unsuccessful{background:var(--unsuccessful)}.f-unsuccessful{fill:var(--unsuccessful)}
    .b-unfinished{background:var(--unfinished)}.f-unfinished{fill:var(--unfinished)}
    .b-repeated{background:var(--repeated)}.f-repeated{fill:var(--repeated)}
    .b-starting{background:var(--starting)}.f-starting{fill:var(--starting)}
    .b-dependencies{background:var(--dependencies)}.f-dependencies{fill:var(--dependencies)}
    .b-limit{background:var(--limit)}.f-limit{fill:var(--limit)}
    .b-room{background:var(--room)}.f-room{fill:var(--room)}
    .b-retry{background:var(--retry)}.f-retry{fill:var(--retry)}
    .b-handover{background:var(--handover)}.f-handover{fill:var(--handover)}
    .b-pause{background:var(--pause)}.f-pause{fill:var(--pause)}
    .b-delay{background:var(--delay)}.f-delay{fill:var(--delay)}
    .b-ending{background:var(--ending)}.f-ending{fill:var(--ending)}
    .f-executing{fill:var(--executing)}.f-waiting{fill:var(--waiting)}
    .f-processors{fill:var(--processors)}.f-good{fill:var(--good)}
    @media (max-width:640px){
      body{padding:16px 14px 72px}
      h1{font-size:23px}.verdict{font-size:16px}.verdict p:first-child{font-size:18px}
      .advice li{grid-template-columns:56px 1fr;gap:10px}
      .curve{grid-template-columns:72px minmax(0,1fr)}.axis{padding-left:72px}
      td,th{white-space:nowrap;overflow-wrap:normal}
      td{max-width:240px;overflow:hidden;text-overflow:ellipsis}
      #find{width:100%;max-width:none}.controls label:first-child{flex:1 0 100%}
      .scripts #table th:nth-child(2),.scripts #table td:nth-child(2),
      .scripts #table th:nth-child(n+4),.scripts #table td:nth-child(n+4){display:none}
      .scripts #table th:nth-child(6),.scripts #table td:nth-child(6){display:table-cell}
      .scripts #table th:first-child{width:44%}
      #panel{right:8px;bottom:8px;width:calc(100vw - 16px);max-height:46vh}
    }
    @media print{
      body{max-width:none;padding:0;font-size:12px}
      .controls,#keys,#panel,#tip,nav,#brush,.skip{display:none!important}
      section,header{break-inside:auto}tr,li,.curve{break-inside:avoid}
      .scripts #list,#stage{height:auto;max-height:900px;overflow:hidden}
      *{print-color-adjust:exact;-webkit-print-color-adjust:exact}
    }

    """#
}
