/// Expected texts of `ChartTextTests`.
enum ChartTextExpected1 {
    static let energyIsDrawnText = #"""
        <figure id="e" class="chart"><figcaption>
        <h3>Joules by cause</h3>
        <p>Energy of one phone, mean over all replicas, without the baseline: paging and beacons while its radios rest. Hatched: energy in tails, the time after the last byte.</p></figcaption>
        <div class="wide">
        <svg viewBox="0 0 1120 154" role="img" aria-labelledby="e-t e-d" class="chart broad">
        <title id="e-t">Joules by cause</title><desc id="e-d">Energy of one phone, mean over all replicas, without the baseline: paging and beacons while its radios rest. Hatched: energy in tails, the time after the last byte.</desc>
        <path class="grid" d="M170 6V132"/>
        <text class="tick" x="170" y="148">0 J</text>
        <path class="grid" d="M360.2 6V132"/>
        <text class="tick" x="360.2" y="148">0.5 J</text>
        <path class="grid" d="M550.4 6V132"/>
        <text class="tick" x="550.4" y="148">1 J</text>
        <path class="grid" d="M740.6 6V132"/>
        <text class="tick" x="740.6" y="148">1.5 J</text>
        <path class="grid" d="M930.8 6V132"/>
        <text class="tick" x="930.8" y="148">2 J</text>
        <circle class="dot p0" cx="10" cy="22" r="4"></circle>
        <text class="row" x="22" y="26">naive</text>
        <g>
        <title>messages: 1.54 J, 1 J in tails</title>
        <rect class="c-payload" x="170" y="10" width="204.4" height="24"/>
        <rect class="c-payload" x="375.4" y="10" width="379.4" height="24"/>
        <rect class="waste" x="375.4" y="10" width="379.4" height="24"/></g>
        <text class="part" x="173" y="48">messages</text>
        <g>
        <title>wake-ups of the processor: 0.26 J, 0 J in tails</title>
        <rect class="c-system" x="755.8" y="10" width="97.9" height="24"/></g>
        <text class="part" x="758.8" y="48">wake</text>
        <g>
        <title>acknowledgements: 0.25 J, 0 J in tails</title>
        <rect class="c-resume" x="854.7" y="10" width="94.1" height="24"/></g>
        <text class="part" x="857.7" y="48">ack</text>
        <g>
        <title>opening connections: 0.00048 J, 0 J in tails</title>
        <rect class="c-connect" x="949.8" y="10" width="0.2" height="24"/></g>
        <text class="total" x="956" y="27">2.05 J</text>
        <text class="part" x="956" y="41">and 0.008 J baseline</text>
        <path class="dot p1" d="M10 84m-4 -4h8v8h-8z"></path>
        <text class="row" x="22" y="88">tuned</text>
        <g>
        <title>messages: 1.54 J, 1 J in tails</title>
        <rect class="c-payload" x="170" y="72" width="204.4" height="24"/>
        <rect class="c-payload" x="375.4" y="72" width="379.4" height="24"/>
        <rect class="waste" x="375.4" y="72" width="379.4" height="24"/></g>
        <text class="part" x="173" y="110">messages</text>
        <g>
        <title>wake-ups of the processor: 0.26 J, 0 J in tails</title>
        <rect class="c-system" x="755.8" y="72" width="97.9" height="24"/></g>
        <text class="part" x="758.8" y="110">wake</text>
        <g>
        <title>acknowledgements: 0.25 J, 0 J in tails</title>
        <rect class="c-resume" x="854.7" y="72" width="94.1" height="24"/></g>
        <text class="part" x="857.7" y="110">ack</text>
        <g>
        <title>opening connections: 0.00048 J, 0 J in tails</title>
        <rect class="c-connect" x="949.8" y="72" width="0.2" height="24"/></g>
        <text class="total" x="956" y="89">2.05 J</text>
        <text class="part" x="956" y="103">and 0.008 J baseline</text></svg>
        <svg viewBox="0 0 350 182" role="img" aria-labelledby="e-t e-d" class="chart narrow">
        <title>Joules by cause</title>
        <path class="grid" d="M10 6V160"/>
        <text class="tick" x="10" y="176">0 J</text>
        <path class="grid" d="M170.9 6V160"/>
        <text class="tick" x="170.9" y="176">1 J</text>
        <path class="grid" d="M331.9 6V160"/>
        <text class="tick" x="331.9" y="176">2 J</text>
        <circle class="dot p0" cx="15" cy="16" r="4"></circle>
        <text class="row" x="27" y="20">naive</text>
        <text class="total flip" x="340" y="20">2.05 J<tspan class="part"> and 0.008 J baseline</tspan></text>
        <g>
        <title>messages: 1.54 J, 1 J in tails</title>
        <rect class="c-payload" x="10" y="27" width="85.9" height="24"/>
        <rect class="c-payload" x="96.9" y="27" width="159.9" height="24"/>
        <rect class="waste" x="96.9" y="27" width="159.9" height="24"/></g>
        <text class="part" x="13" y="65">messages</text>
        <g>
        <title>wake-ups of the processor: 0.26 J, 0 J in tails</title>
        <rect class="c-system" x="257.8" y="27" width="40.8" height="24"/></g>
        <text class="part" x="260.8" y="65">wake</text>
        <g>
        <title>acknowledgements: 0.25 J, 0 J in tails</title>
        <rect class="c-resume" x="299.7" y="27" width="39.2" height="24"/></g>
        <text class="part" x="302.7" y="65">ack</text>
        <g>
        <title>opening connections: 0.00048 J, 0 J in tails</title></g>
        <path class="dot p1" d="M15 92m-4 -4h8v8h-8z"></path>
        <text class="row" x="27" y="96">tuned</text>
        <text class="total flip" x="340" y="96">2.05 J<tspan class="part"> and 0.008 J baseline</tspan></text>
        <g>
        <title>messages: 1.54 J, 1 J in tails</title>
        <rect class="c-payload" x="10" y="103" width="85.9" height="24"/>
        <rect class="c-payload" x="96.9" y="103" width="159.9" height="24"/>
        <rect class="waste" x="96.9" y="103" width="159.9" height="24"/></g>
        <text class="part" x="13" y="141">messages</text>
        <g>
        <title>wake-ups of the processor: 0.26 J, 0 J in tails</title>
        <rect class="c-system" x="257.8" y="103" width="40.8" height="24"/></g>
        <text class="part" x="260.8" y="141">wake</text>
        <g>
        <title>acknowledgements: 0.25 J, 0 J in tails</title>
        <rect class="c-resume" x="299.7" y="103" width="39.2" height="24"/></g>
        <text class="part" x="302.7" y="141">ack</text>
        <g>
        <title>opening connections: 0.00048 J, 0 J in tails</title></g></svg></div>
        <p class="legend"><span><i class="sw c-payload"></i>messages</span><span><i class="sw c-resume"></i>acknowledgements</span><span><i class="sw c-connect"></i>opening connections</span><span><i class="sw c-system"></i>wake-ups of the processor</span><span><i class="sw in-tails"></i>in tails</span></p>
        <ul class="words"><li><b class="who">
        <svg class="key" width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
        <circle class="dot p0" cx="6" cy="6" r="4"></circle></svg>naive</b>: <b>49%</b> of the energy in tails, 1 J of 2.058 J — mainly messages 1 J</li><li><b class="who">
        <svg class="key" width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
        <path class="dot p1" d="M6 6m-4 -4h8v8h-8z"></path></svg>tuned</b>: <b>49%</b> of the energy in tails, 1 J of 2.058 J — mainly messages 1 J</li></ul>
        <details class="data"><summary>Data: joules by cause</summary>
        <div class="wide"><table><caption>joules by cause</caption><thead>
        <tr><th scope="col">cause</th><th scope="col">naive</th><th scope="col">tuned</th></tr></thead><tbody>
        <tr><th scope="row">idle paging and beacons</th><td>0.008 (0 in tails)</td><td>0.008 (0 in tails)</td></tr>
        <tr><th scope="row">messages</th><td>1.54 (1 in tails)</td><td>1.54 (1 in tails)</td></tr>
        <tr><th scope="row">acknowledgements</th><td>0.25 (0 in tails)</td><td>0.25 (0 in tails)</td></tr>
        <tr><th scope="row">opening connections</th><td>0.00048 (0 in tails)</td><td>0.00048 (0 in tails)</td></tr>
        <tr><th scope="row">wake-ups of the processor</th><td>0.26 (0 in tails)</td><td>0.26 (0 in tails)</td></tr>
        <tr><th scope="row">total</th><td>2.058</td><td>2.058</td></tr>
        </tbody></table></div></details>
        </figure>
        """#

    static let latencyIsDrawnText = #"""
        <figure id="l-down" class="chart"><figcaption>
        <h3>Latency of messages to the app</h3>
        <p>Share of all completed messages or calls over time, on a logarithmic axis. A curve that ends below 100% lost the rest.</p></figcaption>
        <div class="wide">
        <svg viewBox="0 0 550 300" role="img" aria-labelledby="l-down-t l-down-d" class="chart broad">
        <title id="l-down-t">Latency of messages to the app</title><desc id="l-down-d">Share of all completed messages or calls over time, on a logarithmic axis. A curve that ends below 100% lost the rest.</desc>
        <path class="grid" d="M44 266H380"/>
        <text class="left" x="38" y="270">0%</text>
        <path class="grid" d="M44 203H380"/>
        <text class="left" x="38" y="207">25%</text>
        <path class="grid" d="M44 140H380"/>
        <text class="left" x="38" y="144">50%</text>
        <path class="grid" d="M44 77H380"/>
        <text class="left" x="38" y="81">75%</text>
        <path class="grid" d="M44 14H380"/>
        <text class="left" x="38" y="18">100%</text>
        <path class="grid" d="M136.3 14V266"/>
        <text class="tick" x="136.3" y="286">300ms</text>
        <path class="grid" d="M249.6 14V266"/>
        <text class="tick" x="249.6" y="286">1s</text>
        <path class="grid" d="M352.9 14V266"/>
        <text class="tick" x="352.9" y="286">3s</text>
        <path class="curve p0 dash0" d="M44 266H53.9V266H53.9V238H119.1V210H184.4V182H249.6V154H314.8V98H335.8V70H352.9V42H380V14H380"/>
        <circle class="dot p0" cx="380" cy="14" r="4"></circle>
        <path class="curve p1 dash1" d="M44 266H53.9V266H53.9V245H119.1V224H184.4V203H249.6V182H314.8V140H335.8V119H352.9V98H380V77H380"/>
        <path class="missing p1" d="M372 77V14"/>
        <path class="dot p1" d="M380 77m-4 -4h8v8h-8z"></path>
        <text class="end" x="389" y="18">naive</text>
        <text class="end" x="389" y="81">tuned, 25% lost</text></svg>
        <svg viewBox="0 0 350 300" role="img" aria-labelledby="l-down-t l-down-d" class="chart narrow">
        <title>Latency of messages to the app</title>
        <path class="grid" d="M44 266H338"/>
        <text class="left" x="38" y="270">0%</text>
        <path class="grid" d="M44 203H338"/>
        <text class="left" x="38" y="207">25%</text>
        <path class="grid" d="M44 140H338"/>
        <text class="left" x="38" y="144">50%</text>
        <path class="grid" d="M44 77H338"/>
        <text class="left" x="38" y="81">75%</text>
        <path class="grid" d="M44 14H338"/>
        <text class="left" x="38" y="18">100%</text>
        <path class="grid" d="M124.7 14V266"/>
        <text class="tick" x="124.7" y="286">300ms</text>
        <path class="grid" d="M223.9 14V266"/>
        <text class="tick" x="223.9" y="286">1s</text>
        <path class="grid" d="M314.3 14V266"/>
        <text class="tick" x="314.3" y="286">3s</text>
        <path class="curve p0 dash0" d="M44 266H52.7V266H52.7V238H109.7V210H166.8V182H223.9V154H280.9V98H299.3V70H314.3V42H338V14H338"/>
        <circle class="dot p0" cx="338" cy="14" r="4"></circle>
        <path class="curve p1 dash1" d="M44 266H52.7V266H52.7V245H109.7V224H166.8V203H223.9V182H280.9V140H299.3V119H314.3V98H338V77H338"/>
        <path class="missing p1" d="M330 77V14"/>
        <path class="dot p1" d="M338 77m-4 -4h8v8h-8z"></path></svg></div>
        <p class="legend narrow"><span><b class="who">
        <svg class="key" width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
        <circle class="dot p0" cx="6" cy="6" r="4"></circle></svg>naive</b></span><span><b class="who">
        <svg class="key" width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
        <path class="dot p1" d="M6 6m-4 -4h8v8h-8z"></path></svg>tuned</b>, 25% lost</span></p>
        <details class="data"><summary>Data: latency of messages to the app</summary>
        <div class="wide"><table><caption>latency of messages to the app</caption><thead>
        <tr><th scope="col">strategy</th><th scope="col">median</th><th scope="col">90%</th><th scope="col">99%</th><th scope="col">slowest</th><th scope="col">arrived</th><th scope="col">lost</th><th scope="col">pending</th></tr></thead><tbody>
        <tr><th scope="row">naive</th><td>2s</td><td>4s</td><td>4s</td><td>4s</td><td>9</td><td>0</td><td>0</td></tr>
        <tr><th scope="row">tuned</th><td>2s</td><td>never</td><td>never</td><td>4s</td><td>9</td><td>3</td><td>0</td></tr>
        </tbody></table></div></details>
        </figure>
        <figure id="l-calls" class="chart"><figcaption>
        <h3>Latency of calls</h3>
        <p>Share of all completed messages or calls over time, on a logarithmic axis. A curve that ends below 100% lost the rest.</p></figcaption>
        <div class="wide">
        <svg viewBox="0 0 550 300" role="img" aria-labelledby="l-calls-t l-calls-d" class="chart broad">
        <title id="l-calls-t">Latency of calls</title><desc id="l-calls-d">Share of all completed messages or calls over time, on a logarithmic axis. A curve that ends below 100% lost the rest.</desc>
        <path class="grid" d="M44 266H380"/>
        <text class="left" x="38" y="270">0%</text>
        <path class="grid" d="M44 203H380"/>
        <text class="left" x="38" y="207">25%</text>
        <path class="grid" d="M44 140H380"/>
        <text class="left" x="38" y="144">50%</text>
        <path class="grid" d="M44 77H380"/>
        <text class="left" x="38" y="81">75%</text>
        <path class="grid" d="M44 14H380"/>
        <text class="left" x="38" y="18">100%</text>
        <path class="grid" d="M115.3 14V266"/>
        <text class="tick" x="115.3" y="286">30ms</text>
        <path class="grid" d="M228.6 14V266"/>
        <text class="tick" x="228.6" y="286">100ms</text>
        <path class="grid" d="M331.9 14V266"/>
        <text class="tick" x="331.9" y="286">300ms</text>
        <path class="curve p0 dash0" d="M44 266H53.9V266H53.9V224H119.1V182H184.4V140H249.6V98H314.8V56H380V14H380"/>
        <circle class="dot p0" cx="380" cy="14" r="4"></circle>
        <path class="curve p1 dash1" d="M44 266H53.9V266H53.9V224H119.1V182H184.4V140H249.6V98H314.8V56H380V14H380"/>
        <path class="dot p1" d="M380 14m-4 -4h8v8h-8z"></path>
        <text class="end" x="389" y="18">naive</text>
        <text class="end" x="389" y="31">tuned</text></svg>
        <svg viewBox="0 0 350 300" role="img" aria-labelledby="l-calls-t l-calls-d" class="chart narrow">
        <title>Latency of calls</title>
        <path class="grid" d="M44 266H338"/>
        <text class="left" x="38" y="270">0%</text>
        <path class="grid" d="M44 203H338"/>
        <text class="left" x="38" y="207">25%</text>
        <path class="grid" d="M44 140H338"/>
        <text class="left" x="38" y="144">50%</text>
        <path class="grid" d="M44 77H338"/>
        <text class="left" x="38" y="81">75%</text>
        <path class="grid" d="M44 14H338"/>
        <text class="left" x="38" y="18">100%</text>
        <path class="grid" d="M106.4 14V266"/>
        <text class="tick" x="106.4" y="286">30ms</text>
        <path class="grid" d="M205.5 14V266"/>
        <text class="tick" x="205.5" y="286">100ms</text>
        <path class="grid" d="M295.9 14V266"/>
        <text class="tick" x="295.9" y="286">300ms</text>
        <path class="curve p0 dash0" d="M44 266H52.7V266H52.7V224H109.7V182H166.8V140H223.9V98H280.9V56H338V14H338"/>
        <circle class="dot p0" cx="338" cy="14" r="4"></circle>
        <path class="curve p1 dash1" d="M44 266H52.7V266H52.7V224H109.7V182H166.8V140H223.9V98H280.9V56H338V14H338"/>
        <path class="dot p1" d="M338 14m-4 -4h8v8h-8z"></path></svg></div>
        <p class="legend narrow"><span><b class="who">
        <svg class="key" width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
        <circle class="dot p0" cx="6" cy="6" r="4"></circle></svg>naive</b></span><span><b class="who">
        <svg class="key" width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
        <path class="dot p1" d="M6 6m-4 -4h8v8h-8z"></path></svg>tuned</b></span></p>
        <details class="data"><summary>Data: latency of calls</summary>
        <div class="wide"><table><caption>latency of calls</caption><thead>
        <tr><th scope="col">strategy</th><th scope="col">median</th><th scope="col">90%</th><th scope="col">99%</th><th scope="col">slowest</th><th scope="col">arrived</th><th scope="col">lost</th><th scope="col">pending</th></tr></thead><tbody>
        <tr><th scope="row">naive</th><td>63ms</td><td>500ms</td><td>500ms</td><td>500ms</td><td>6</td><td>0</td><td>0</td></tr>
        <tr><th scope="row">tuned</th><td>63ms</td><td>500ms</td><td>500ms</td><td>500ms</td><td>6</td><td>0</td><td>0</td></tr>
        </tbody></table></div></details>
        </figure>
        """#
}
