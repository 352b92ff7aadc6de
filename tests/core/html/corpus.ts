/**
 * Attack pages: scripts in every place where HTML allows them, resources that are fetched automatically, and markup
 * that parsers read differently. Written for this test, after the OWASP cheat sheet on cross-site scripting and
 * published parser differences. `RUN` stands for a script, `NET` for an address; the browser test replaces both.
 */

export const hostile: Readonly<Record<string, string>> = {
  script: `<script>RUN</script><SCRIPT SRC="NET/s.js"></SCRIPT><script type=module>RUN</script>`,
  "script in pieces": `<scr<script>ipt>RUN</scr</script>ipt><script/x>RUN</script ><<script>RUN//<</script>`,
  "script unclosed": `before<script>RUN`,
  "script with NUL": `<scr\0ipt>RUN</scr\0ipt><img src=x on\0error=RUN>`,
  handlers: `<img src=x onerror=RUN><b onmouseover="RUN" onclick='RUN'>b</b><div onpointerenter=RUN style="width:900px;height:900px" onanimationstart=RUN>d</div>`,
  "handlers, odd spelling": `<img/src=x/onerror=RUN><img src=x\u000conerror=RUN><IMG SRC=x OnErRoR=RUN><img "="" src=x onerror=RUN><img src='x'onerror='RUN'><img src=x onerror\n=\nRUN>`,
  "body and html handlers": `<html onload=RUN><body onload=RUN onpageshow=RUN background="NET/bg.png"><frameset onload=RUN>`,
  focus: `<input autofocus onfocus=RUN><a id=x tabindex=1 autofocus onfocus=RUN href="#">x</a><details open ontoggle=RUN><summary>s</summary></details>`,
  media: `<video src="NET/v" onerror=RUN poster="NET/p" autoplay></video><audio src="NET/a" onerror=RUN autoplay></audio><video><source onerror=RUN src="NET/v2"></video>`,
  marquee: `<marquee onstart=RUN>m</marquee><marquee behavior=alternate width=1 onbounce=RUN>m</marquee>`,
  "javascript links": `<a href="javascript:RUN">a</a><a href=" jAvAsCrIpT:RUN">b</a><a href="java\tscript:RUN">c</a><a href="java&#10;script:RUN">d</a><a href="&#106;avascript&colon;RUN">e</a><a href="\u0001javascript:RUN">f</a>`,
  "data and vbscript links": `<a href="data:text/html,<script>RUN</script>">a</a><a href="vbscript:RUN">b</a><a href="view-source:javascript:RUN">c</a><a href="blob:RUN">d</a><a href="file:///etc/passwd">e</a>`,
  "images that run": `<img src="data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9ImFsZXJ0KDEpIj48L3N2Zz4="><img src="data:text/html;base64,PGI+"><img src="javascript:RUN"><img src="data:image/svg+xml,<svg onload=RUN>"><img dynsrc="javascript:RUN" lowsrc="javascript:RUN"><image src="NET/image">`,
  "images of the net": `<img src="NET/1.png"><img src=//net.invalid/2.png><img srcset="NET/3.png 1x" sizes=1px><picture><source srcset="NET/4.png"><img src=x></picture><img src="NET/5.png" loading=eager longdesc="NET/6">`,
  "image set aside that runs": `<img data-remote-src="javascript:RUN"><img data-remote-src="data:text/html,x"><a data-remote-src="NET/7">x</a>`,
  svg: `<svg onload=RUN><script>RUN</script><image href="NET/svg.png" /><use href="NET/u.svg#x"/><animate onbegin=RUN attributeName=x></svg>`,
  "svg links": `<svg><a xlink:href="javascript:RUN"><text y=20>x</text></a><set attributeName=href to="javascript:RUN"/><foreignObject><iframe srcdoc="<script>RUN</script>"></iframe></foreignObject>`,
  mathml: `<math><maction actiontype="statusline#NET" xlink:href="javascript:RUN">x</maction><mtext><img src=x onerror=RUN></mtext></math>`,
  "style elements": `<style>@import url(NET/i.css);*{background:url(NET/b.png)}</style><STYLE>body{behavior:url(NET/x.htc)}</STYLE><link rel=stylesheet href="NET/l.css"><link rel=preload as=image href="NET/l.png"><link rel=dns-prefetch href="NET">`,
  "style attributes": `<p style="background:url(NET/1.png)">1</p><p style="background-image:u\\72l(NET/2.png)">2</p><p style="width:expression(RUN)">3</p><p style="behavior:url(NET/3)">4</p><p style="-moz-binding:url(NET/4)">5</p><p style="list-style:url('NET/5')">6</p><p style="background:image-set('NET/6' 1x)">7</p><p style="color:red;/**/background:/**/url(NET/7)">8</p><p style="content:url(NET/8)">9</p><p style="cursor:url(NET/9),auto">10</p>`,
  "style that leaves its place": `<div style="position:fixed;top:0;left:0;width:100%;height:100%;z-index:9999">over</div><div style="margin-top:-900px;transform:scale(9)">up</div><div style="color:red;position:absolute">a</div>`,
  "style broken": `<p style="color:red;}body{background:url(NET/1)}">1</p><p style="color:'\n;background:url(NET/2)">2</p><p style='font-family:"x;background:url(NET/3)'>3</p><p style="color:red\\;background:url(NET/4)">4</p><p style="{}">5</p>`,
  "meta, base": `<meta http-equiv=refresh content="0;url=NET/meta"><meta http-equiv=refresh content="0;javascript:RUN"><meta http-equiv=set-cookie content=a=b><base href="NET/base/"><a href="rel">x</a><img src="rel.png">`,
  forms: `<form action="NET/form" id=f><input name=action type=image src="NET/in.png"><button formaction="javascript:RUN" autofocus onfocus=RUN>b</button><textarea autofocus onfocus=RUN>t</textarea><select onchange=RUN autofocus><option>o</option></select><isindex action="javascript:RUN"></form>`,
  frames: `<iframe src="javascript:RUN"></iframe><iframe srcdoc="<script>RUN</script>"></iframe><iframe src="NET/frame"></iframe><frame src="javascript:RUN"><portal src="NET/portal"></portal><fencedframe src="NET/ff"></fencedframe>`,
  objects: `<object data="javascript:RUN"></object><object data="NET/o.swf"><param name=movie value="NET/m"></object><embed src="javascript:RUN"><embed src="NET/e"><applet code="x" archive="NET/a.jar"></applet>`,
  template: `<template><img src=x onerror=RUN></template><template shadowrootmode=open><script>RUN</script></template><div><template shadowrootmode=open><img src=x onerror=RUN></div>`,
  noscript: `<noscript><p title="</noscript><img src=x onerror=RUN>"></noscript><noembed><p title="</noembed><img src=x onerror=RUN>"></noembed><noframes><p title="</noframes><img src=x onerror=RUN>"></noframes>`,
  "raw text": `<textarea><p title="</textarea><img src=x onerror=RUN>"></textarea><title><p title="</title><img src=x onerror=RUN>"></title><xmp><p title="</xmp><img src=x onerror=RUN>"></xmp><plaintext><img src=x onerror=RUN>`,
  "raw text, slash": `<textarea></textarea/><img src=x onerror=RUN></textarea><xmp></xmp/><img src=x onerror=RUN></xmp>`,
  "foreign content": `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=x onerror=RUN&gt;">`,
  "foreign content 2": `<form><math><mtext></form><form><mglyph><svg><mtext><textarea><path id="</textarea><img onerror=RUN src=x>">`,
  "foreign content 3": `<svg></p><style><a id="</style><img src=x onerror=RUN>"><math><annotation-xml encoding="text/html"><style><img src=x onerror=RUN></style></annotation-xml></math>`,
  "foreign content 4": `<svg><desc><![CDATA[</desc><script>RUN</script>]]></svg><svg><title><style><img src="</style><img src=x onerror=RUN>"></svg>`,
  comments: `<!--><img src=x onerror=RUN>--><!--!><img src=x onerror=RUN>--><!-- --!><img src=x onerror=RUN><!--[if gte IE 4]><script>RUN</script><![endif]--><![if !mso]><img src=x onerror=RUN><![endif]><!><img src=x onerror=RUN><?xml <img src=x onerror=RUN>?>`,
  quotes: `<a title='"><img src=x onerror=RUN>' href='http://a.invalid/"onmouseover="RUN'>x</a><p title="\`><img src=x onerror=RUN>\`">y</p><img alt="--><script>RUN</script>" src=cid:none>`,
  "text as markup": `&lt;script&gt;RUN&lt;/script&gt; &amp;lt;img src=x onerror=RUN&amp;gt; &#60;img src=x onerror=RUN&#62; &lt img src=x onerror=RUN &gt`,
  clobbering: `<a id=location name=location href="http://a.invalid/">x</a><img name=body id=cookie><form name=document><input name=attributes></form><a id=defaultView></a><p id="__proto__" class=modal>p</p><b constructor=1 __proto__=2 hasOwnProperty=3>b</b>`,
  "links that open": `<a href="http://a.invalid/" target=_top rel=opener ping="NET/ping" download onclick=RUN>x</a><area href="javascript:RUN"><map name=m><area shape=rect coords="0,0,999,999" href="javascript:RUN"></map><img usemap=#m src=x>`,
  "links within": `<a href="#top">t</a><a href="//net.invalid/x">p</a><a href="/api/v1/users">r</a><a href="?delete=1">q</a><a href="\\\\net.invalid\\x">u</a>`,
  "table soup": `<table background="NET/t.png"><td background="NET/td.png"><table><img src=x onerror=RUN><tr><script>RUN</script><td><a href="javascript:RUN">x`,
  "anchor soup": `<a href="http://a.invalid/1"><a href="http://a.invalid/2"><table><a href="http://a.invalid/3"><b><p></b></a><i></p></i></table>`,
  "custom elements": `<x-y onclick=RUN>x</x-y><b is=evil-b>b</b><slot name=s>s</slot><dialog open onclose=RUN>d</dialog><p popover id=p onbeforetoggle=RUN>p</p><p contenteditable autofocus onfocus=RUN>c</p><object type=image/svg+xml data="NET/x.svg">`,
  "utf-7 and charsets": `+ADw-script+AD4-RUN+ADw-/script+AD4-<p title="\uD800">\uDFFF\uFFFE</p>\u001b(J<img src=x onerror=RUN>`,
  processing: `<?import namespace="t" implementation="#default#time2"?><t:set attributeName=innerHTML to="<script>RUN</script>"><xml id=i><x><c><![CDATA[<img src=x onerror=RUN>]]></c></x></xml><xss style="behavior: url(NET/xss.htc)">`,
  unclosed: `<div title="<a href='<b><i><table><tr><td><ul><li <img src=x onerror=RUN`
}

/** Pages that cost much time, depth or memory. */
export const heavy: Readonly<Record<string, () => string>> = {
  "100,000 open elements": () => `${"<div>".repeat(100_000)}x`,
  "100,000 nested and closed": () => `${"<div>".repeat(100_000)}x${"</div>".repeat(100_000)}`,
  "100,000 closed by others": () => "<b>".repeat(100_000) + "</i>".repeat(100_000),
  "100,000 wrong ends": () => "<p><td><b>".repeat(40_000) + "</td></p>".repeat(40_000),
  "100,000 elements dropped": () => "<noscript>".repeat(100_000),
  "250,000 siblings": () => "<b></b>".repeat(250_000),
  "a huge attribute": () => `<p title="${"x".repeat(1_900_000)}" style="${"color:red;".repeat(10_000)}">p</p>`,
  "a huge style": () => `<p style="${"a{".repeat(900_000)}">p</p>`,
  "100,000 attributes": () => `<p ${Array.from({ length: 100_000 }, (_, at) => `a${at}=1`).join(" ")}>p</p>`,
  "2,000,000 signs": () => "<".repeat(2_000_000),
  "2,000,000 ampersands": () => "&".repeat(2_000_000),
  "comments unclosed": () => "<!--".repeat(500_000),
  links: () => Array.from({ length: 130_000 }, (_, at) => `<a href=http:${at}>`).join(""),
  declarations: () => `<p style='${"font:rgb(1,1,1) ".repeat(250)}!'>`.repeat(400),
  "longer than is read": () => "word ".repeat(1_000_000)
}
