/// Expected texts of `TableTextTests`.
enum TableTextExpected1 {
    static let theAnswerIsWrittenText1 = #"""
        <section class="answer">
        <h2 class="unseen">The answer</h2>
        <div class="cards">
        <article class="card ship">
        <h3>Strategy to ship</h3>
        <p class="winner">None. Each strategy fails an expectation, or delivers fewer messages than another.</p></article>
        <article class="card">
        <h3>Battery</h3>
        <p class="winner"><b class="who">
        <svg class="key" width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
        <path class="dot p1" d="M6 6m-4 -4h8v8h-8z"></path></svg>tuned</b> uses the least energy<span class="but">, but 5% of its messages, both directions, did not arrive</span></p>
        <p class="big">93.64 J</p>
        <p class="delta"><b>−52%</b> against naive · 95% interval of the value: 93.3 J to 93.95 J</p>
        <p class="delta">Above idle: naive 167.5 J, tuned 66.64 J</p>
        <svg class="strip" viewBox="0 0 260 44" role="img" aria-label="Battery: naive 194.5 J, tuned 93.64 J">
        <text class="who" x="0" y="16">naive</text>
        <path class="grid" d="M116 12H198"/>
        <path class="cross p0" d="M197.7 12H198"/>
        <circle class="dot p0" cx="197.9" cy="12" r="4"></circle>
        <text class="value" x="260" y="16">194.5 J</text>
        <text class="who" x="0" y="36">tuned</text>
        <path class="grid" d="M116 32H198"/>
        <path class="cross p1" d="M155.3 32H155.6"/>
        <path class="dot p1" d="M155.4 32m-4 -4h8v8h-8z"></path>
        <text class="value" x="260" y="36">93.64 J</text></svg></article>
        <article class="card">
        <h3>Latency to the app, 95th percentile</h3>
        <p class="winner"><b class="who">
        <svg class="key" width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
        <path class="dot p1" d="M6 6m-4 -4h8v8h-8z"></path></svg>tuned</b> has the lowest latency<span class="but">, but 5% of its messages, both directions, did not arrive</span></p>
        <p class="big">949.7 ms</p>
        <p class="delta"></p>
        <svg class="strip" viewBox="0 0 260 44" role="img" aria-label="Latency to the app, 95th percentile: naive never, tuned 949.7 ms">
        <text class="who" x="0" y="16">naive</text>
        <path class="grid" d="M116 12H198"/>
        <text class="value" x="260" y="16">never</text>
        <text class="who" x="0" y="36">tuned</text>
        <path class="grid" d="M116 32H198"/>
        <path class="cross p1" d="M198 32H198"/>
        <path class="dot p1" d="M198 32m-4 -4h8v8h-8z"></path>
        <text class="value" x="260" y="36">949.7 ms</text></svg></article>
        <article class="card">
        <h3>Latency to the server, 95th percentile</h3>
        <p class="winner">No difference above 1%</p>
        <p class="big">never</p>
        <p class="delta"></p>
        <svg class="strip" viewBox="0 0 260 44" role="img" aria-label="Latency to the server, 95th percentile: naive never, tuned –">
        <text class="who" x="0" y="16">naive</text>
        <path class="grid" d="M116 12H198"/>
        <text class="value" x="260" y="16">never</text>
        <text class="who" x="0" y="36">tuned</text>
        <path class="grid" d="M116 32H198"/>
        <text class="value" x="260" y="36">–</text></svg></article>
        <article class="card">
        <h3>Lost, server to app</h3>
        <p class="winner"><b class="who">
        <svg class="key" width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
        <path class="dot p1" d="M6 6m-4 -4h8v8h-8z"></path></svg>tuned</b> loses the fewest messages</p>
        <p class="big">0</p>
        <p class="delta"><b>−100%</b> against naive</p>
        <p class="delta but">Pending at the end: tuned: 5%</p>
        <svg class="strip" viewBox="0 0 260 44" role="img" aria-label="Lost, server to app: naive 405, tuned 0">
        <text class="who" x="0" y="16">naive</text>
        <path class="grid" d="M116 12H198"/>
        <path class="cross p0" d="M198 12H198"/>
        <circle class="dot p0" cx="198" cy="12" r="4"></circle>
        <text class="value" x="260" y="16">405</text>
        <text class="who" x="0" y="36">tuned</text>
        <path class="grid" d="M116 32H198"/>
        <path class="cross p1" d="M116 32H116"/>
        <path class="dot p1" d="M116 32m-4 -4h8v8h-8z"></path>
        <text class="value" x="260" y="36">0</text></svg></article>
        <article class="card">
        <h3>Lost, app to server</h3>
        <p class="winner"><b class="who">
        <svg class="key" width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
        <path class="dot p1" d="M6 6m-4 -4h8v8h-8z"></path></svg>tuned</b> loses the fewest messages</p>
        <p class="big">0</p>
        <p class="delta"><b>−100%</b> against naive</p>
        <svg class="strip" viewBox="0 0 260 44" role="img" aria-label="Lost, app to server: naive 1, tuned 0">
        <text class="who" x="0" y="16">naive</text>
        <path class="grid" d="M116 12H198"/>
        <path class="cross p0" d="M198 12H198"/>
        <circle class="dot p0" cx="198" cy="12" r="4"></circle>
        <text class="value" x="260" y="16">1</text>
        <text class="who" x="0" y="36">tuned</text>
        <path class="grid" d="M116 32H198"/>
        <path class="cross p1" d="M116 32H116"/>
        <path class="dot p1" d="M116 32m-4 -4h8v8h-8z"></path>
        <text class="value" x="260" y="36">0</text></svg></article>
        <article class="card">
        <h3>Zombie time, longest</h3>
        <p class="winner"><b class="who">
        <svg class="key" width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
        <path class="dot p1" d="M6 6m-4 -4h8v8h-8z"></path></svg>tuned</b> has the shortest zombie time<span class="but">, but 5% of its messages, both directions, did not arrive</span></p>
        <p class="big">9 s</p>
        <p class="delta"><b>−99%</b> against naive</p>
        <svg class="strip" viewBox="0 0 260 44" role="img" aria-label="Zombie time, longest: naive 1200 s, tuned 9 s">
        <text class="who" x="0" y="16">naive</text>
        <path class="grid" d="M116 12H198"/>
        <path class="cross p0" d="M198 12H198"/>
        <circle class="dot p0" cx="198" cy="12" r="4"></circle>
        <text class="value" x="260" y="16">1200 s</text>
        <text class="who" x="0" y="36">tuned</text>
        <path class="grid" d="M116 32H198"/>
        <path class="cross p1" d="M116.6 32H116.6"/>
        <path class="dot p1" d="M116.6 32m-4 -4h8v8h-8z"></path>
        <text class="value" x="260" y="36">9 s</text></svg></article>
        <article class="card">
        <h3>Served again after an outage, 95th percentile</h3>
        <p class="winner">No difference above 1%</p>
        <p class="big">2 s</p>
        <p class="delta"></p>
        <svg class="strip" viewBox="0 0 260 44" role="img" aria-label="Served again after an outage, 95th percentile: naive –, tuned 2 s">
        <text class="who" x="0" y="16">naive</text>
        <path class="grid" d="M116 12H198"/>
        <text class="value" x="260" y="16">–</text>
        <text class="who" x="0" y="36">tuned</text>
        <path class="grid" d="M116 32H198"/>
        <path class="cross p1" d="M198 32H198"/>
        <path class="dot p1" d="M198 32m-4 -4h8v8h-8z"></path>
        <text class="value" x="260" y="36">2 s</text></svg></article>
        </div>
        <details class="expect" open><summary>Expectations</summary>
        <div class="wide"><table><thead>
        <tr><td></td><th>strategy</th><th>metric</th><th>bound</th><th>is</th></tr></thead>
        <tbody>
        <tr class="fail"><td>✗</td><th scope="row">naive</th><td>latency.down.max</td><td>under 2000 ms</td><td>never</td></tr>
        <tr class="fail"><td>✗</td><th scope="row">tuned</th><td>latency.up.p50</td><td>under 1000 ms</td><td>–</td></tr>
        <tr class="fail"><td>✗</td><th scope="row">tuned</th><td>latency.down.p50</td><td>within 1% of naive</td><td>500 ms</td></tr>
        <tr class="fail"><td>✗</td><th scope="row">tuned</th><td>battery.percent_per_hour</td><td>over 2 %/h</td><td>0.2252 %/h</td></tr>
        <tr class="pass"><td>✓</td><th scope="row">naive</th><td>zombie.max</td><td>over 120 s</td><td>1200 s</td></tr>
        <tr class="pass"><td>✓</td><th scope="row">tuned</th><td>delivery.down.lost</td><td>0</td><td>0, and 1 pending</td></tr>
        <tr class="pass"><td>✓</td><th scope="row">tuned</th><td>zombie.max</td><td>under 15 s</td><td>9 s</td></tr>
        <tr class="pass"><td>✓</td><th scope="row">tuned</th><td>battery.joules</td><td>at most 60% of naive (116.7 J)</td><td>93.64 J</td></tr>
        <tr class="pass"><td>✓</td><th scope="row">tuned</th><td>keepalive.pings</td><td>1 to 9</td><td>9</td></tr>
        </tbody></table></div></details>
        </section>
        """#

    static let lossesAndGroupsAreWrittenText = #"""
        <section class="part">
        <h2>Lost messages and silence</h2>
        <div class="wide"><table class="numbers"><thead>
        <tr><td></td><th scope="col"><b class="who">
        <svg class="key" width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
        <circle class="dot p0" cx="6" cy="6" r="4"></circle></svg>naive</b></th><th scope="col"><b class="who">
        <svg class="key" width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
        <path class="dot p1" d="M6 6m-4 -4h8v8h-8z"></path></svg>tuned</b></th></tr></thead>
        <tbody>
        <tr class="group"><th scope="rowgroup" colspan="3">Lost by cause, server to app</th></tr>
        <tr><th scope="row" title="unobserved">not observed</th><td>1</td><td>–</td></tr>
        <tr><th scope="row" title="dead_connection">connection dead, believed open</th><td>3</td><td>–</td></tr>
        <tr><th scope="row" title="no_path">no working network</th><td>1</td><td>–</td></tr>
        <tr><th scope="row" title="packet_lost">packet lost on the path</th><td>400</td><td>–</td></tr>
        <tr><th scope="row">total</th><td>405</td><td>–</td></tr>
        </tbody>
        <tbody>
        <tr class="group"><th scope="rowgroup" colspan="3">Lost by place, server to app</th></tr>
        <tr><th scope="row" title="unobserved">not observed</th><td>1</td><td>–</td></tr>
        <tr><th scope="row" title="session_start">not asked for by the new session</th><td>1</td><td>–</td></tr>
        <tr><th scope="row" title="path">path</th><td>400</td><td>–</td></tr>
        <tr><th scope="row" title="connection">ended connection, not sent again</th><td>3</td><td>–</td></tr>
        <tr><th scope="row">total</th><td>405</td><td>–</td></tr>
        </tbody>
        <tbody>
        <tr class="group"><th scope="rowgroup" colspan="3">Lost by cause, app to server</th></tr>
        <tr><th scope="row" title="app_queue_full">app&#39;s send queue full</th><td>1</td><td>–</td></tr>
        <tr><th scope="row">total</th><td>1</td><td>–</td></tr>
        </tbody>
        <tbody>
        <tr class="group"><th scope="rowgroup" colspan="3">Lost by place, app to server</th></tr>
        <tr><th scope="row" title="app_queue">app&#39;s send queue</th><td>1</td><td>–</td></tr>
        <tr><th scope="row">total</th><td>1</td><td>–</td></tr>
        </tbody>
        <tbody>
        <tr class="group"><th scope="rowgroup" colspan="3">Silence by cause</th></tr>
        <tr><th scope="row" title="dead_connection">connection dead, believed open</th><td>90 s</td><td>–</td></tr>
        <tr><th scope="row" title="no_path">no working network</th><td>30 s</td><td>2 s</td></tr>
        <tr><th scope="row">total</th><td>120 s</td><td>2 s</td></tr>
        </tbody>
        </table></div>
        <p class="hint">Messages of one replica and seconds of one phone, means over all replicas. The rows of a table add up to its total.</p>
        <div class="wide"><table class="numbers"><thead>
        <tr><td></td><th scope="col"><b class="who">
        <svg class="key" width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
        <circle class="dot p0" cx="6" cy="6" r="4"></circle></svg>naive</b></th><th scope="col"><b class="who">
        <svg class="key" width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
        <path class="dot p1" d="M6 6m-4 -4h8v8h-8z"></path></svg>tuned</b></th></tr></thead>
        <tbody>
        <tr class="group"><th scope="rowgroup" colspan="3">Cost of each timeline entry: messages lost, time without a connection, energy</th></tr>
        <tr><th scope="row">12 min: Wi-Fi left</th><td>403 lost<small>90 s, +2.5 J</small></td><td>0 lost<small>0 s</small></td></tr>
        <tr><th scope="row">25 min: dead zone</th><td>1 lost<small>0 s, -250 mJ</small></td><td>0 lost<small>2 s</small></td></tr>
        <tr><th scope="row">no entry</th><td>2 lost<small>30 s</small></td><td>0 lost<small>0 s</small></td></tr>
        </tbody>
        </table></div>
        <p class="hint">A loss is charged to the change that ended the connection or stopped the app. Energy is not charged to entries. If it is shown, it is the difference to the same run without the entry.</p></section>
        """#

    static let pagesHaveTheirHeadsText = #"""
        <!doctype html>
        <html lang="en"><head><meta charset="utf-8">
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src HASH; script-src HASH; base-uri 'none'; form-action 'none'">
        <meta name="viewport" content="width=device-width, initial-scale=1"><meta name="referrer" content="no-referrer">
        <meta name="color-scheme" content="light dark">
        <title>No run</title>
        </head><body>
        <main>
        <header><h1>No run</h1>
        <p class="lede">No scenario completed.</p></header>
        <footer>
        <p>deadzone . Simulated results; the model and its limits are listed above.</p></footer>
        </main>
        </body></html>
        ---
        <!doctype html>
        <html lang="en"><head><meta charset="utf-8">
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src HASH; script-src HASH; base-uri 'none'; form-action 'none'">
        <meta name="viewport" content="width=device-width, initial-scale=1"><meta name="referrer" content="no-referrer">
        <meta name="color-scheme" content="light dark">
        <title>Elevator to the subway</title>
        </head><body>
        <main>
        <header>
        <p class="kicker">Deadzone report · 45 min · one phone · 6 replicas · seed 1</p>
        <h1>Elevator to the subway</h1>
        <p class="sentence"><span class="verdict">No expectations</span> <span class="change">one &lt;change&gt;</span></p>
        <p class="lede">Wi-Fi dies in the elevator, LTE in the street.</p>
        <p class="theme" hidden><button type="button" data-do="theme">light or dark</button></p></header>
        RUNS
        <footer>
        <p>deadzone 0.1.0. Simulated results; the model and its limits are listed above.</p></footer>
        </main>
        </body></html>
        ---
        <!doctype html>
        <html lang="en"><head><meta charset="utf-8">
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src HASH; script-src HASH; base-uri 'none'; form-action 'none'">
        <meta name="viewport" content="width=device-width, initial-scale=1"><meta name="referrer" content="no-referrer">
        <meta name="color-scheme" content="light dark">
        <title>2 runs</title>
        </head><body>
        <main>
        <header>
        <p class="kicker">Deadzone report · 2 runs · seed 1 · 24 simulations</p>
        <h1>2 runs</h1>
        <p class="sentence"><span class="verdict">No expectations</span></p>
        <p class="lede">Wi-Fi dies in the elevator, LTE in the street.</p>
        <p class="theme" hidden><button type="button" data-do="theme">light or dark</button></p></header>
        <section class="part" id="runs">
        <h2>2 runs</h2>
        <div class="multiples">
        <article class="multiple pass">
        <h3><a href="#run-0"> Elevator to the subway</a></h3>
        <svg class="mini" viewBox="0 0 240 20" role="img" aria-label="Battery: naive 194.5 J, tuned 93.64 J">
        <text class="who" x="0" y="14">Battery</text>
        <path class="grid" d="M112 10H232"/>
        <circle class="dot p0" cx="232" cy="10" r="4">
        <title>naive 194.5 J</title></circle>
        <path class="dot p1" d="M169.8 10m-4 -4h8v8h-8z">
        <title>tuned 93.64 J</title></path></svg>
        <svg class="mini" viewBox="0 0 240 20" role="img" aria-label="Latency to the app: naive 1000 ms, tuned 949.7 ms">
        <text class="who" x="0" y="14">Latency to the app</text>
        <path class="grid" d="M112 10H232"/>
        <circle class="dot p0" cx="232" cy="10" r="4">
        <title>naive 1000 ms</title></circle>
        <path class="dot p1" d="M226 10m-4 -4h8v8h-8z">
        <title>tuned 949.7 ms</title></path></svg>
        <svg class="mini" viewBox="0 0 240 20" role="img" aria-label="Lost, server to app: naive 1, tuned 0">
        <text class="who" x="0" y="14">Lost, se…er to app</text>
        <path class="grid" d="M112 10H232"/>
        <circle class="dot p0" cx="232" cy="10" r="4">
        <title>naive 1</title></circle>
        <path class="dot p1" d="M112 10m-4 -4h8v8h-8z">
        <title>tuned 0</title></path></svg>
        <svg class="mini" viewBox="0 0 240 20" role="img" aria-label="Zombie time: naive 1200 s, tuned 9 s">
        <text class="who" x="0" y="14">Zombie time</text>
        <path class="grid" d="M112 10H232"/>
        <circle class="dot p0" cx="232" cy="10" r="4">
        <title>naive 1200 s</title></circle>
        <path class="dot p1" d="M112.9 10m-4 -4h8v8h-8z">
        <title>tuned 9 s</title></path></svg></article>
        <article class="multiple pass">
        <h3><a href="#run-1"> Lift [radio=lte, every=5s]</a></h3>
        <svg class="mini" viewBox="0 0 240 20" role="img" aria-label="Bytes received: naive 0 B, tuned 0 B">
        <text class="who" x="0" y="14">Bytes received</text>
        <path class="grid" d="M112 10H232"/>
        <circle class="dot p0" cx="112" cy="10" r="4">
        <title>naive 0 B</title></circle>
        <path class="dot p1" d="M112 10m-4 -4h8v8h-8z">
        <title>tuned 0 B</title></path></svg></article>
        </div>
        <details class="data" open><summary>Every run</summary>
        <div class="wide"><table class="runs"><thead>
        <tr><td><th>run<th>Battery<th>Latency to the app, 95th percentile<th>Lost, server to app<th>Zombie time, longest<tbody>
        <tr><td><th>Elevator to the subway<td>194.5 J · 93.64 J<td>1000 ms · 949.7 ms<td>1 · 0<td>1200 s · 9 s
        <tr><td><th>Lift [radio=lte, every=5s]<td>194.5 J · 93.64 J<td>never · 949.7 ms<td>405 · 0<td>1200 s · 9 s
        </table></div>
        <p>Numbers are in the order of the strategies: naive · tuned.</p></details>
        </section>
        RUNS
        <footer>
        <p>deadzone 0.1.0. Simulated results; the model and its limits are listed above.</p></footer>
        </main>
        </body></html>
        """#
}
