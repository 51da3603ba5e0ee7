/// Expected texts of `ChartTextTests`.
enum ChartTextExpected2 {
    static let tradesAreDrawnText = #"""
        <figure id="p" class="chart"><figcaption>
        <h3>Battery against latency</h3>
        <p>Server to app, 95th percentile over energy above idle; lower left is better. The energy axis does not begin at zero. Crosses are 95% intervals. A hollow mark is worse than another on both axes. A mark at the top has no value: too many messages are lost or pending.</p></figcaption>
        <div class="wide">
        <svg viewBox="0 0 550 300" role="img" aria-labelledby="p-t p-d" class="chart broad">
        <title id="p-t">Battery against latency</title><desc id="p-d">Server to app, 95th percentile over energy above idle; lower left is better. The energy axis does not begin at zero. Crosses are 95% intervals. A hollow mark is worse than another on both axes. A mark at the top has no value: too many messages are lost or pending.</desc>
        <path class="grid" d="M162.4 40V260"/>
        <text class="tick" x="162.4" y="278">100</text>
        <path class="grid" d="M386.6 40V260"/>
        <text class="tick" x="386.6" y="278">150</text>
        <path class="grid" d="M58 260H510"/>
        <text class="left" x="52" y="264">0 ms</text>
        <path class="grid" d="M58 161.8H510"/>
        <text class="left" x="52" y="165.8">500 ms</text>
        <path class="grid" d="M58 63.6H510"/>
        <text class="left" x="52" y="67.6">1000 ms</text>
        <path class="grid" d="M58 16H510"/>
        <text class="left" x="52" y="20">never</text>
        <text class="tick" x="284" y="295">joules of one phone above idle</text>
        <path class="front" d="M103.2 40V16H148.5V63.6H193.7V73.4H510"/>
        <path class="cross p0" d="M463.4 73.4H466.3M464.9 73.4V73.4"/>
        <circle class="dot p0 hollow" cx="464.9" cy="73.4" r="4">
        <title>s0</title></circle>
        <text class="end" x="473.9" y="66.4">s0</text>
        <path class="cross p1" d="M418.2 73.4H421.1M419.7 73.4V73.4"/>
        <path class="dot p1 hollow" d="M419.7 73.4m-4 -4h8v8h-8z">
        <title>s1</title></path>
        <text class="end" x="428.7" y="66.4">s1</text>
        <path class="cross p2" d="M373 73.4H375.9M374.5 73.4V73.4"/>
        <path class="dot p2 hollow" d="M374.5 73.4m0 -5l5 5l-5 5l-5 -5z">
        <title>s2</title></path>
        <text class="end" x="383.5" y="66.4">s2</text>
        <path class="cross p3" d="M339.3 73.4H342.1M340.8 73.4V73.4"/>
        <path class="dot p3 hollow" d="M340.8 73.4m0 -5l4.8 8.5h-9.6z">
        <title>s3</title></path>
        <text class="end" x="349.8" y="66.4">s3</text>
        <path class="cross p4" d="M282.6 73.4H285.4M284.1 73.4V73.4"/>
        <path class="dot p4 hollow" d="M284.1 73.4m0 5l4.8 -8.5h-9.6z">
        <title>s4</title></path>
        <text class="end" x="293.1" y="66.4">s4</text>
        <path class="cross p5" d="M237.4 73.4H240.2M238.9 73.4V73.4"/>
        <path class="dot p5 hollow" d="M238.9 73.4m-2 -5h4v3h3v4h-3v3h-4v-3h-3v-4h3z">
        <title>s5</title></path>
        <text class="end" x="247.9" y="66.4">s5</text>
        <path class="cross p6" d="M192.1 73.4H195M193.7 73.4V73.4"/>
        <circle class="dot p6" cx="193.7" cy="73.4" r="4">
        <title>s6</title></circle>
        <text class="end" x="202.7" y="66.4">s6</text>
        <path class="cross p7" d="M146.9 63.6H149.8M148.5 63.6V63.6"/>
        <path class="dot p7" d="M148.5 63.6m-4 -4h8v8h-8z">
        <title>s7</title></path>
        <text class="end" x="157.5" y="56.6">s7</text>
        <path class="cross p0" d="M101.7 16H104.6M103.2 16V16"/>
        <path class="dot p0" d="M103.2 16m0 -5l5 5l-5 5l-5 -5z">
        <title>s8</title></path>
        <text class="end" x="112.2" y="31">s8</text></svg>
        <svg viewBox="0 0 350 300" role="img" aria-labelledby="p-t p-d" class="chart narrow">
        <title>Battery against latency</title>
        <path class="grid" d="M116.2 40V260"/>
        <text class="tick" x="116.2" y="278">100</text>
        <path class="grid" d="M241.2 40V260"/>
        <text class="tick" x="241.2" y="278">150</text>
        <path class="grid" d="M58 260H310"/>
        <text class="left" x="52" y="264">0 ms</text>
        <path class="grid" d="M58 161.8H310"/>
        <text class="left" x="52" y="165.8">500 ms</text>
        <path class="grid" d="M58 63.6H310"/>
        <text class="left" x="52" y="67.6">1000 ms</text>
        <path class="grid" d="M58 16H310"/>
        <text class="left" x="52" y="20">never</text>
        <text class="tick" x="184" y="295">joules of one phone above idle</text>
        <path class="front" d="M83.2 40V16H108.4V63.6H133.6V73.4H310"/>
        <path class="cross p0" d="M284 73.4H285.6M284.8 73.4V73.4"/>
        <circle class="dot p0 hollow" cx="284.8" cy="73.4" r="4">
        <title>s0</title></circle>
        <text class="end" x="293.8" y="66.4">s0</text>
        <path class="cross p1" d="M258.8 73.4H260.4M259.6 73.4V73.4"/>
        <path class="dot p1 hollow" d="M259.6 73.4m-4 -4h8v8h-8z">
        <title>s1</title></path>
        <text class="end" x="268.6" y="88.4">s1</text>
        <path class="cross p2" d="M233.6 73.4H235.2M234.4 73.4V73.4"/>
        <path class="dot p2 hollow" d="M234.4 73.4m0 -5l5 5l-5 5l-5 -5z">
        <title>s2</title></path>
        <text class="end" x="243.4" y="88.4">s2</text>
        <path class="cross p3" d="M214.8 73.4H216.4M215.6 73.4V73.4"/>
        <path class="dot p3 hollow" d="M215.6 73.4m0 -5l4.8 8.5h-9.6z">
        <title>s3</title></path>
        <text class="end" x="224.6" y="88.4">s3</text>
        <path class="cross p4" d="M183.2 73.4H184.8M184 73.4V73.4"/>
        <path class="dot p4 hollow" d="M184 73.4m0 5l4.8 -8.5h-9.6z">
        <title>s4</title></path>
        <text class="end" x="193" y="66.4">s4</text>
        <path class="cross p5" d="M158 73.4H159.6M158.8 73.4V73.4"/>
        <path class="dot p5 hollow" d="M158.8 73.4m-2 -5h4v3h3v4h-3v3h-4v-3h-3v-4h3z">
        <title>s5</title></path>
        <text class="end" x="167.8" y="88.4">s5</text>
        <path class="cross p6" d="M132.8 73.4H134.4M133.6 73.4V73.4"/>
        <circle class="dot p6" cx="133.6" cy="73.4" r="4">
        <title>s6</title></circle>
        <text class="end" x="142.6" y="88.4">s6</text>
        <path class="cross p7" d="M107.6 63.6H109.2M108.4 63.6V63.6"/>
        <path class="dot p7" d="M108.4 63.6m-4 -4h8v8h-8z">
        <title>s7</title></path>
        <text class="end" x="117.4" y="56.6">s7</text>
        <path class="cross p0" d="M82.4 16H84M83.2 16V16"/>
        <path class="dot p0" d="M83.2 16m0 -5l5 5l-5 5l-5 -5z">
        <title>s8</title></path>
        <text class="end" x="92.2" y="31">s8</text></svg></div>
        <details class="data"><summary>Data: battery against latency</summary>
        <div class="wide"><table><caption>battery against latency</caption><thead>
        <tr><th scope="col">strategy</th><th scope="col">energy</th><th scope="col">above idle</th><th scope="col">Server to app, 95th percentile</th><td></td></tr></thead><tbody>
        <tr><th scope="row">s0</th><td>194.5 J</td><td>167.5 J</td><td>949.7 ms</td><td>worse on both</td></tr>
        <tr><th scope="row">s1</th><td>184.4 J</td><td>157.4 J</td><td>949.7 ms</td><td>worse on both</td></tr>
        <tr><th scope="row">s2</th><td>174.3 J</td><td>147.3 J</td><td>949.7 ms</td><td>worse on both</td></tr>
        <tr><th scope="row">s3</th><td>166.9 J</td><td>139.8 J</td><td>949.7 ms</td><td>worse on both</td></tr>
        <tr><th scope="row">s4</th><td>154.1 J</td><td>127.1 J</td><td>949.7 ms</td><td>worse on both</td></tr>
        <tr><th scope="row">s5</th><td>144 J</td><td>117 J</td><td>949.7 ms</td><td>worse on both</td></tr>
        <tr><th scope="row">s6</th><td>134 J</td><td>107 J</td><td>949.7 ms</td><td>on the Pareto front</td></tr>
        <tr><th scope="row">s7</th><td>123.9 J</td><td>96.88 J</td><td>1000 ms</td><td>on the Pareto front</td></tr>
        <tr><th scope="row">s8</th><td>113.8 J</td><td>86.8 J</td><td>never</td><td>on the Pareto front</td></tr>
        </tbody></table></div></details>
        </figure>
        """#
}
