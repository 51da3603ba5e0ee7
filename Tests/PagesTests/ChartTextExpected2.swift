/// Expected texts of `ChartTextTests`.
enum ChartTextExpected2 {
    static let tradesAreDrawnText = #"""
        <figure id="p" class="chart"><figcaption>
        <h3>Battery against latency</h3>
        <p>Server to app, 95th percentile over energy above idle; lower left is better. The energy axis does not begin at zero. Crosses are 95% intervals. A hollow mark is worse than another on both axes. A mark at the top has no value: too many messages are lost or pending.</p></figcaption>
        <div class="wide">
        <svg viewBox="0 0 550 300" role="img" aria-labelledby="p-t p-d" class="chart broad">
        <title id="p-t">Battery against latency</title><desc id="p-d">Server to app, 95th percentile over energy above idle; lower left is better. The energy axis does not begin at zero. Crosses are 95% intervals. A hollow mark is worse than another on both axes. A mark at the top has no value: too many messages are lost or pending.</desc>
        <path class="grid" d="M162.1 40V260"/>
        <text class="tick" x="162.1" y="278">100</text>
        <path class="grid" d="M386.8 40V260"/>
        <text class="tick" x="386.8" y="278">150</text>
        <path class="grid" d="M58 260H510"/>
        <text class="left" x="52" y="264">0 ms</text>
        <path class="grid" d="M58 161.8H510"/>
        <text class="left" x="52" y="165.8">500 ms</text>
        <path class="grid" d="M58 63.6H510"/>
        <text class="left" x="52" y="67.6">1000 ms</text>
        <path class="grid" d="M58 16H510"/>
        <text class="left" x="52" y="20">never</text>
        <text class="tick" x="284" y="295">joules of one phone above idle</text>
        <path class="front" d="M102.7 40V16H148.1V63.6H193.4V73.4H510"/>
        <path class="cross p0" d="M464.2 73.4H466.3M465.3 73.4V73.4"/>
        <circle class="dot p0 hollow" cx="465.3" cy="73.4" r="4">
        <title>s0</title></circle>
        <text class="end" x="474.3" y="66.4">s0</text>
        <path class="cross p1" d="M418.9 73.4H420.9M419.9 73.4V73.4"/>
        <path class="dot p1 hollow" d="M419.9 73.4m-4 -4h8v8h-8z">
        <title>s1</title></path>
        <text class="end" x="428.9" y="66.4">s1</text>
        <path class="cross p2" d="M373.6 73.4H375.6M374.6 73.4V73.4"/>
        <path class="dot p2 hollow" d="M374.6 73.4m0 -5l5 5l-5 5l-5 -5z">
        <title>s2</title></path>
        <text class="end" x="383.6" y="66.4">s2</text>
        <path class="cross p3" d="M339.8 73.4H341.8M340.8 73.4V73.4"/>
        <path class="dot p3 hollow" d="M340.8 73.4m0 -5l4.8 8.5h-9.6z">
        <title>s3</title></path>
        <text class="end" x="349.8" y="66.4">s3</text>
        <path class="cross p4" d="M283 73.4H285M284 73.4V73.4"/>
        <path class="dot p4 hollow" d="M284 73.4m0 5l4.8 -8.5h-9.6z">
        <title>s4</title></path>
        <text class="end" x="293" y="66.4">s4</text>
        <path class="cross p5" d="M237.7 73.4H239.7M238.7 73.4V73.4"/>
        <path class="dot p5 hollow" d="M238.7 73.4m-2 -5h4v3h3v4h-3v3h-4v-3h-3v-4h3z">
        <title>s5</title></path>
        <text class="end" x="247.7" y="66.4">s5</text>
        <path class="cross p6" d="M192.4 73.4H194.4M193.4 73.4V73.4"/>
        <circle class="dot p6" cx="193.4" cy="73.4" r="4">
        <title>s6</title></circle>
        <text class="end" x="202.4" y="66.4">s6</text>
        <path class="cross p7" d="M147.1 63.6H149.1M148.1 63.6V63.6"/>
        <path class="dot p7" d="M148.1 63.6m-4 -4h8v8h-8z">
        <title>s7</title></path>
        <text class="end" x="157.1" y="56.6">s7</text>
        <path class="cross p0" d="M101.7 16H103.8M102.7 16V16"/>
        <path class="dot p0" d="M102.7 16m0 -5l5 5l-5 5l-5 -5z">
        <title>s8</title></path>
        <text class="end" x="111.7" y="31">s8</text></svg>
        <svg viewBox="0 0 350 300" role="img" aria-labelledby="p-t p-d" class="chart narrow">
        <title>Battery against latency</title>
        <path class="grid" d="M116 40V260"/>
        <text class="tick" x="116" y="278">100</text>
        <path class="grid" d="M241.3 40V260"/>
        <text class="tick" x="241.3" y="278">150</text>
        <path class="grid" d="M58 260H310"/>
        <text class="left" x="52" y="264">0 ms</text>
        <path class="grid" d="M58 161.8H310"/>
        <text class="left" x="52" y="165.8">500 ms</text>
        <path class="grid" d="M58 63.6H310"/>
        <text class="left" x="52" y="67.6">1000 ms</text>
        <path class="grid" d="M58 16H310"/>
        <text class="left" x="52" y="20">never</text>
        <text class="tick" x="184" y="295">joules of one phone above idle</text>
        <path class="front" d="M82.9 40V16H108.2V63.6H133.5V73.4H310"/>
        <path class="cross p0" d="M284.5 73.4H285.6M285.1 73.4V73.4"/>
        <circle class="dot p0 hollow" cx="285.1" cy="73.4" r="4">
        <title>s0</title></circle>
        <text class="end" x="294.1" y="66.4">s0</text>
        <path class="cross p1" d="M259.2 73.4H260.4M259.8 73.4V73.4"/>
        <path class="dot p1 hollow" d="M259.8 73.4m-4 -4h8v8h-8z">
        <title>s1</title></path>
        <text class="end" x="268.8" y="88.4">s1</text>
        <path class="cross p2" d="M234 73.4H235.1M234.5 73.4V73.4"/>
        <path class="dot p2 hollow" d="M234.5 73.4m0 -5l5 5l-5 5l-5 -5z">
        <title>s2</title></path>
        <text class="end" x="243.5" y="88.4">s2</text>
        <path class="cross p3" d="M215.1 73.4H216.2M215.7 73.4V73.4"/>
        <path class="dot p3 hollow" d="M215.7 73.4m0 -5l4.8 8.5h-9.6z">
        <title>s3</title></path>
        <text class="end" x="224.7" y="88.4">s3</text>
        <path class="cross p4" d="M183.4 73.4H184.6M184 73.4V73.4"/>
        <path class="dot p4 hollow" d="M184 73.4m0 5l4.8 -8.5h-9.6z">
        <title>s4</title></path>
        <text class="end" x="193" y="66.4">s4</text>
        <path class="cross p5" d="M158.2 73.4H159.3M158.7 73.4V73.4"/>
        <path class="dot p5 hollow" d="M158.7 73.4m-2 -5h4v3h3v4h-3v3h-4v-3h-3v-4h3z">
        <title>s5</title></path>
        <text class="end" x="167.7" y="88.4">s5</text>
        <path class="cross p6" d="M132.9 73.4H134M133.5 73.4V73.4"/>
        <circle class="dot p6" cx="133.5" cy="73.4" r="4">
        <title>s6</title></circle>
        <text class="end" x="142.5" y="88.4">s6</text>
        <path class="cross p7" d="M107.6 63.6H108.8M108.2 63.6V63.6"/>
        <path class="dot p7" d="M108.2 63.6m-4 -4h8v8h-8z">
        <title>s7</title></path>
        <text class="end" x="117.2" y="56.6">s7</text>
        <path class="cross p0" d="M82.4 16H83.5M82.9 16V16"/>
        <path class="dot p0" d="M82.9 16m0 -5l5 5l-5 5l-5 -5z">
        <title>s8</title></path>
        <text class="end" x="91.9" y="31">s8</text></svg></div>
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
