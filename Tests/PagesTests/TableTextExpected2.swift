/// Expected texts of `TableTextTests`.
enum TableTextExpected2 {
    static let theAnswerIsWrittenText2 = #"""
        <section class="answer">
        <h2 class="unseen">The answer</h2>
        <div class="cards">
        <article class="card ship">
        <h3>Strategy to ship</h3>
        <p class="winner">Only <b class="who">
        <svg class="key" width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
        <path class="dot p1" d="M6 6m-4 -4h8v8h-8z"></path></svg>tuned</b> delivers about as much as the best.</p></article>
        <article class="card">
        <h3>Battery</h3>
        <p class="winner"><b class="who">
        <svg class="key" width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
        <path class="dot p1" d="M6 6m-4 -4h8v8h-8z"></path></svg>tuned</b> uses the least energy</p>
        <p class="big">308.7 J</p>
        <p class="delta"><b>−47%</b> against naive · 95% interval of the value: 307.5 J to 309.8 J</p>
        <p class="delta">Above idle: naive 289.5 J, tuned 20.7 J</p>
        <svg class="strip" viewBox="0 0 260 44" role="img" aria-label="Battery: naive 577.5 J, tuned 308.7 J">
        <text class="who" x="0" y="16">naive</text>
        <path class="grid" d="M116 12H198"/>
        <path class="cross p0" d="M197.7 12H198"/>
        <circle class="dot p0" cx="197.8" cy="12" r="4"></circle>
        <text class="value" x="260" y="16">577.5 J</text>
        <text class="who" x="0" y="36">tuned</text>
        <path class="grid" d="M116 32H198"/>
        <path class="cross p1" d="M159.6 32H159.9"/>
        <path class="dot p1" d="M159.7 32m-4 -4h8v8h-8z"></path>
        <text class="value" x="260" y="36">308.7 J</text></svg></article>
        <article class="card">
        <h3>Latency of calls, 95th percentile</h3>
        <p class="winner"><b class="who">
        <svg class="key" width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
        <path class="dot p1" d="M6 6m-4 -4h8v8h-8z"></path></svg>tuned</b> has the lowest latency</p>
        <p class="big">760 ms</p>
        <p class="delta"><b>−2.6%</b> against naive</p>
        <svg class="strip" viewBox="0 0 260 44" role="img" aria-label="Latency of calls, 95th percentile: naive 779.9 ms, tuned 760 ms">
        <text class="who" x="0" y="16">naive</text>
        <path class="grid" d="M116 12H198"/>
        <path class="cross p0" d="M198 12H198"/>
        <circle class="dot p0" cx="198" cy="12" r="4"></circle>
        <text class="value" x="260" y="16">779.9 ms</text>
        <text class="who" x="0" y="36">tuned</text>
        <path class="grid" d="M116 32H198"/>
        <path class="cross p1" d="M195.9 32H195.9"/>
        <path class="dot p1" d="M195.9 32m-4 -4h8v8h-8z"></path>
        <text class="value" x="260" y="36">760 ms</text></svg></article>
        <article class="card">
        <h3>Lost, server to app</h3>
        <p class="winner">All the same</p>
        <p class="big">0</p>
        <p class="delta"></p>
        <svg class="strip" viewBox="0 0 260 44" role="img" aria-label="Lost, server to app: naive 0, tuned 0">
        <text class="who" x="0" y="16">naive</text>
        <path class="grid" d="M116 12H198"/>
        <path class="cross p0" d="M116 12H116"/>
        <circle class="dot p0" cx="116" cy="12" r="4"></circle>
        <text class="value" x="260" y="16">0</text>
        <text class="who" x="0" y="36">tuned</text>
        <path class="grid" d="M116 32H198"/>
        <path class="cross p1" d="M116 32H116"/>
        <path class="dot p1" d="M116 32m-4 -4h8v8h-8z"></path>
        <text class="value" x="260" y="36">0</text></svg></article>
        <article class="card">
        <h3>Calls that succeed</h3>
        <p class="winner"><b class="who">
        <svg class="key" width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
        <path class="dot p1" d="M6 6m-4 -4h8v8h-8z"></path></svg>tuned</b> has the most successful calls</p>
        <p class="big">100%</p>
        <p class="delta"><b>+2.5%</b> against naive</p>
        <svg class="strip" viewBox="0 0 260 44" role="img" aria-label="Calls that succeed: naive 97.56%, tuned 100%">
        <text class="who" x="0" y="16">naive</text>
        <path class="grid" d="M116 12H198"/>
        <path class="cross p0" d="M196 12H196"/>
        <circle class="dot p0" cx="196" cy="12" r="4"></circle>
        <text class="value" x="260" y="16">97.56%</text>
        <text class="who" x="0" y="36">tuned</text>
        <path class="grid" d="M116 32H198"/>
        <path class="cross p1" d="M198 32H198"/>
        <path class="dot p1" d="M198 32m-4 -4h8v8h-8z"></path>
        <text class="value" x="260" y="36">100%</text></svg></article>
        <article class="card">
        <h3>Zombie time, longest</h3>
        <p class="winner">All the same</p>
        <p class="big">0 s</p>
        <p class="delta"></p>
        <svg class="strip" viewBox="0 0 260 44" role="img" aria-label="Zombie time, longest: naive 0 s, tuned 0 s">
        <text class="who" x="0" y="16">naive</text>
        <path class="grid" d="M116 12H198"/>
        <path class="cross p0" d="M116 12H116"/>
        <circle class="dot p0" cx="116" cy="12" r="4"></circle>
        <text class="value" x="260" y="16">0 s</text>
        <text class="who" x="0" y="36">tuned</text>
        <path class="grid" d="M116 32H198"/>
        <path class="cross p1" d="M116 32H116"/>
        <path class="dot p1" d="M116 32m-4 -4h8v8h-8z"></path>
        <text class="value" x="260" y="36">0 s</text></svg></article>
        </div>
        </section>
        """#

    static let matricesAreDrawnText = #"""
        <div class="pair">
        <figure id="matrix-battery-joules" class="chart"><figcaption>
        <h3>Energy</h3>
        <p>Energy for each “every”, in the order of the file.</p></figcaption>
        <div class="wide">
        <svg viewBox="0 0 550 300" role="img" aria-labelledby="matrix-battery-joules-t matrix-battery-joules-d" class="chart broad">
        <title id="matrix-battery-joules-t">Energy</title><desc id="matrix-battery-joules-d">Energy for each “every”, in the order of the file.</desc>
        <path class="grid" d="M62 258H430"/>
        <text class="left" x="56" y="262">0 J</text>
        <path class="grid" d="M62 198.7H430"/>
        <text class="left" x="56" y="202.7">50 J</text>
        <path class="grid" d="M62 139.5H430"/>
        <text class="left" x="56" y="143.5">100 J</text>
        <path class="grid" d="M62 80.2H430"/>
        <text class="left" x="56" y="84.2">150 J</text>
        <path class="grid" d="M62 20.9H430"/>
        <text class="left" x="56" y="24.9">200 J</text>
        <text class="tick" x="70" y="274">1s</text>
        <text class="tick" x="188.7" y="274">5s</text>
        <text class="tick" x="307.3" y="274">30s</text>
        <text class="tick" x="426" y="274">2m</text>
        <text class="tick" x="246" y="294">every</text>
        <path class="curve p0 dash0" d="M70 27.5L188.7 27.5L307.3 27.5L426 27.5"/>
        <circle class="dot p0" cx="70" cy="27.5" r="4">
        <title>1s: 194.5</title></circle>
        <circle class="dot p0" cx="188.7" cy="27.5" r="4">
        <title>5s: 194.5</title></circle>
        <circle class="dot p0" cx="307.3" cy="27.5" r="4">
        <title>30s: 194.5</title></circle>
        <circle class="dot p0" cx="426" cy="27.5" r="4">
        <title>2m: 194.5</title></circle>
        <path class="curve p1 dash1" d="M70 27.5L188.7 87.3L307.3 147L426 145"/>
        <path class="dot p1" d="M70 27.5m-4 -4h8v8h-8z">
        <title>1s: 194.4</title></path>
        <path class="dot p1" d="M188.7 87.3m-4 -4h8v8h-8z">
        <title>5s: 144</title></path>
        <path class="dot p1" d="M307.3 147m-4 -4h8v8h-8z">
        <title>30s: 93.64</title></path>
        <path class="dot p1" d="M426 145m-4 -4h8v8h-8z">
        <title>2m: 95.32</title></path>
        <text class="end" x="439" y="31.5">naive</text>
        <text class="end" x="439" y="149">tuned</text></svg>
        <svg viewBox="0 0 350 300" role="img" aria-labelledby="matrix-battery-joules-t matrix-battery-joules-d" class="chart narrow">
        <title>Energy</title>
        <path class="grid" d="M62 258H338"/>
        <text class="left" x="56" y="262">0 J</text>
        <path class="grid" d="M62 198.7H338"/>
        <text class="left" x="56" y="202.7">50 J</text>
        <path class="grid" d="M62 139.5H338"/>
        <text class="left" x="56" y="143.5">100 J</text>
        <path class="grid" d="M62 80.2H338"/>
        <text class="left" x="56" y="84.2">150 J</text>
        <path class="grid" d="M62 20.9H338"/>
        <text class="left" x="56" y="24.9">200 J</text>
        <text class="tick" x="70" y="274">1s</text>
        <text class="tick" x="158" y="274">5s</text>
        <text class="tick" x="246" y="274">30s</text>
        <text class="tick" x="334" y="274">2m</text>
        <text class="tick" x="200" y="294">every</text>
        <path class="curve p0 dash0" d="M70 27.5L158 27.5L246 27.5L334 27.5"/>
        <circle class="dot p0" cx="70" cy="27.5" r="4">
        <title>1s: 194.5</title></circle>
        <circle class="dot p0" cx="158" cy="27.5" r="4">
        <title>5s: 194.5</title></circle>
        <circle class="dot p0" cx="246" cy="27.5" r="4">
        <title>30s: 194.5</title></circle>
        <circle class="dot p0" cx="334" cy="27.5" r="4">
        <title>2m: 194.5</title></circle>
        <path class="curve p1 dash1" d="M70 27.5L158 87.3L246 147L334 145"/>
        <path class="dot p1" d="M70 27.5m-4 -4h8v8h-8z">
        <title>1s: 194.4</title></path>
        <path class="dot p1" d="M158 87.3m-4 -4h8v8h-8z">
        <title>5s: 144</title></path>
        <path class="dot p1" d="M246 147m-4 -4h8v8h-8z">
        <title>30s: 93.64</title></path>
        <path class="dot p1" d="M334 145m-4 -4h8v8h-8z">
        <title>2m: 95.32</title></path></svg></div>
        <p class="legend narrow"><span>
        <svg class="key" width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
        <circle class="dot p0" cx="6" cy="6" r="4"></circle></svg>naive</span><span>
        <svg class="key" width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
        <path class="dot p1" d="M6 6m-4 -4h8v8h-8z"></path></svg>tuned</span></p>
        </figure>
        </div>
        """#
}
