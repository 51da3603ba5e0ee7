/// Expected texts of `ReaderPartsTests`.
enum ReaderPartsExpected {
    static let plainSettingsAreReadInEveryFormText = #"""
        span: like 45s, default 1s; a span
        span2: like 45s; 
        size: like 64KiB, default 2B; a size
        size2: like 64KiB; 
        count: a number, default 3; a count
        count2: a number; 
        probability: like 2%, default 1; a probability
        probability2: like 2%; 
        ratio: like 2%, default 50%; a ratio
        ratio2: like 2%; 
        power: like 350mW, default 4uW; a power
        power2: like 350mW; 
        cost: like 14.55mW/Mbps, default 5fJ/bit; a cost
        cost2: like 14.55mW/Mbps; 
        rate: like 20Mbps, default 6bps; a rate
        rate2: like 20Mbps; 
        flag: true or false, default true; a flag
        flag2: true or false; 
        word: a|b, default b; a word
        word2: a|b; 
        text: text, default "t"; a text
        text2: text; 
        law: like 45s or a distribution, default 7ns; a law
        law2: like 64KiB or a distribution; 
        """#

    static let partsAreReadInEveryFormText1 = #"""
        # section
        {} -> - {}
        {a: "~"} -> 1 {a: {n: 1}}
          E0103 1:5+1 `a` is empty | expected a map | write {} for nothing but defaults
        {a: 5} -> 1 {a: {n: 1}}
          E0102 1:5+1 `5` where a map is expected | expected a map | 
        {a: x} -> 1 {a: {n: 1}}
          E0102 1:5+1 `x` where a map is expected | expected a map | 
        {a: {}} -> 1 {a: {n: 1}}
        {a: {n: 2}} -> 2 {a: {n: 2}}
        {a: {n: 99, m: 1}} -> 1 {a: {n: 1}}
          E0108 1:5+2 `99` is out of range | must be from 0 to 9 | 
          E0104 1:11+1 unknown setting `m` | did you mean `n`? | `a` takes n
        {a: []} -> 1 {a: {n: 1}}
          E0102 1:3+1 a list where a map is expected | expected a map | 
        {a: [1, 2]} -> 1 {a: {n: 1}}
          E0102 1:3+1 a list where a map is expected | expected a map | 
        {a: [1, 2, 3]} -> 1 {a: {n: 1}}
          E0102 1:3+1 a list where a map is expected | expected a map | 
        {a: [{n: 3}, {x-own: 1}]} -> 1 {a: {n: 1}}
          E0102 1:3+1 a list where a map is expected | expected a map | 
        {a: {q: {n: 4}, b: {o: 1}}} -> 1 {a: {n: 1}}
          E0104 1:1+1 unknown setting `q` | did you mean `n`? | `a` takes n
          E0104 1:11+1 unknown setting `b` | did you mean `n`? | `a` takes n
        {a: {c: {}, d: {}, e: {}}} -> 1 {a: {n: 1}}
          E0104 1:1+1 unknown setting `c` | did you mean `n`? | `a` takes n
          E0104 1:11+1 unknown setting `d` | did you mean `n`? | `a` takes n
          E0104 1:21+1 unknown setting `e` | did you mean `n`? | `a` takes n
        {a: {x-a: 1, c: 1}} -> 1 {a: {n: 1}}
          E0104 1:11+1 unknown setting `c` | did you mean `n`? | `a` takes n
        # group
        {} -> 1 {a: {n: 1}}
        {a: "~"} -> 1 {a: {n: 1}}
          E0103 1:5+1 `a` is empty | expected a map | write {} for nothing but defaults
        {a: 5} -> 1 {a: {n: 1}}
          E0102 1:5+1 `5` where a map is expected | expected a map | 
        {a: x} -> 1 {a: {n: 1}}
          E0102 1:5+1 `x` where a map is expected | expected a map | 
        {a: {}} -> 1 {a: {n: 1}}
        {a: {n: 2}} -> 2 {a: {n: 2}}
        {a: {n: 99, m: 1}} -> 1 {a: {n: 1}}
          E0108 1:5+2 `99` is out of range | must be from 0 to 9 | 
          E0104 1:11+1 unknown setting `m` | did you mean `n`? | `a` takes n
        {a: []} -> 1 {a: {n: 1}}
          E0102 1:3+1 a list where a map is expected | expected a map | 
        {a: [1, 2]} -> 1 {a: {n: 1}}
          E0102 1:3+1 a list where a map is expected | expected a map | 
        {a: [1, 2, 3]} -> 1 {a: {n: 1}}
          E0102 1:3+1 a list where a map is expected | expected a map | 
        {a: [{n: 3}, {x-own: 1}]} -> 1 {a: {n: 1}}
          E0102 1:3+1 a list where a map is expected | expected a map | 
        {a: {q: {n: 4}, b: {o: 1}}} -> 1 {a: {n: 1}}
          E0104 1:1+1 unknown setting `q` | did you mean `n`? | `a` takes n
          E0104 1:11+1 unknown setting `b` | did you mean `n`? | `a` takes n
        {a: {c: {}, d: {}, e: {}}} -> 1 {a: {n: 1}}
          E0104 1:1+1 unknown setting `c` | did you mean `n`? | `a` takes n
          E0104 1:11+1 unknown setting `d` | did you mean `n`? | `a` takes n
          E0104 1:21+1 unknown setting `e` | did you mean `n`? | `a` takes n
        {a: {x-a: 1, c: 1}} -> 1 {a: {n: 1}}
          E0104 1:11+1 unknown setting `c` | did you mean `n`? | `a` takes n
        # either
        {} -> - {}
        {a: "~"} -> - {}
          E0103 1:5+1 a value is missing | expected a text | remove the key to have the default
        {a: 5} -> 5 {a: "5"}
        {a: x} -> x {a: "x"}
        {a: {}} -> 1 {a: {n: 1}}
        {a: {n: 2}} -> 2 {a: {n: 2}}
        {a: {n: 99, m: 1}} -> 1 {a: {n: 1}}
          E0108 1:5+2 `99` is out of range | must be from 0 to 9 | 
          E0104 1:11+1 unknown setting `m` | did you mean `n`? | `a` takes n
        {a: []} -> - {}
          E0102 1:3+1 a list where a text is expected | expected a text | 
        {a: [1, 2]} -> - {}
          E0102 1:3+1 a list where a text is expected | expected a text | 
        {a: [1, 2, 3]} -> - {}
          E0102 1:3+1 a list where a text is expected | expected a text | 
        {a: [{n: 3}, {x-own: 1}]} -> - {}
          E0102 1:3+1 a list where a text is expected | expected a text | 
        {a: {q: {n: 4}, b: {o: 1}}} -> 1 {a: {n: 1}}
          E0104 1:1+1 unknown setting `q` | did you mean `n`? | `a` takes n
          E0104 1:11+1 unknown setting `b` | did you mean `n`? | `a` takes n
        {a: {c: {}, d: {}, e: {}}} -> 1 {a: {n: 1}}
          E0104 1:1+1 unknown setting `c` | did you mean `n`? | `a` takes n
          E0104 1:11+1 unknown setting `d` | did you mean `n`? | `a` takes n
          E0104 1:21+1 unknown setting `e` | did you mean `n`? | `a` takes n
        {a: {x-a: 1, c: 1}} -> 1 {a: {n: 1}}
          E0104 1:11+1 unknown setting `c` | did you mean `n`? | `a` takes n
        # list
        {} -> [-1] {}
        {a: "~"} -> [-1] {}
          E0102 1:5+1 nothing where a list is expected | expected a list | 
        {a: 5} -> [-1] {}
          E0102 1:5+1 `5` where a list is expected | expected a list | 
        {a: x} -> [-1] {}
          E0102 1:5+1 `x` where a list is expected | expected a list | 
        {a: {}} -> [-1] {}
          E0102 1:1+1 a map where a list is expected | expected a list | 
        {a: {n: 2}} -> [-1] {}
          E0102 1:1+1 a map where a list is expected | expected a list | 
        {a: {n: 99, m: 1}} -> [-1] {}
          E0102 1:1+1 a map where a list is expected | expected a list | 
        {a: []} -> [-1] {}
          E0116 1:3+1 0 items | expected 1 to 2 | 
        {a: [1, 2]} -> [1, 2] {a: [1, 2]}
        {a: [1, 2, 3]} -> [-1] {}
          E0116 1:3+1 3 items | expected 1 to 2 | 
        {a: [{n: 3}, {x-own: 1}]} -> [] {a: []}
          E0102 1:1+1 a map where a whole number is expected | expected a whole number | 
        {a: {q: {n: 4}, b: {o: 1}}} -> [-1] {}
          E0102 1:1+1 a map where a list is expected | expected a list | 
        {a: {c: {}, d: {}, e: {}}} -> [-1] {}
          E0102 1:1+1 a map where a list is expected | expected a list | 
        {a: {x-a: 1, c: 1}} -> [-1] {}
          E0102 1:1+1 a map where a list is expected | expected a list | 
        # maps
        {} -> - {}
        {a: "~"} -> - {}
          E0102 1:5+1 nothing where a list is expected | expected a list | 
        {a: 5} -> - {}
          E0102 1:5+1 `5` where a list is expected | expected a list | 
        {a: x} -> - {}
          E0102 1:5+1 `x` where a list is expected | expected a list | 
        {a: {}} -> - {}
          E0102 1:1+1 a map where a list is expected | expected a list | 
        {a: {n: 2}} -> - {}
          E0102 1:1+1 a map where a list is expected | expected a list | 
        {a: {n: 99, m: 1}} -> - {}
          E0102 1:1+1 a map where a list is expected | expected a list | 
        {a: []} -> - {}
          E0116 1:3+1 0 items | expected 1 to 2 | 
        {a: [1, 2]} -> 0:1,1:1 {a: [{n: 1}, {n: 1}]}
          E0102 1:5+1 `1` where a map is expected | expected a map | 
          E0102 1:5+1 `2` where a map is expected | expected a map | 
        {a: [1, 2, 3]} -> - {}
          E0116 1:3+1 3 items | expected 1 to 2 | 
        {a: [{n: 3}, {x-own: 1}]} -> 0:3,1:1 {a: [{n: 3}, {n: 1}]}
        {a: {q: {n: 4}, b: {o: 1}}} -> - {}
          E0102 1:1+1 a map where a list is expected | expected a list | 
        {a: {c: {}, d: {}, e: {}}} -> - {}
          E0102 1:1+1 a map where a list is expected | expected a list | 
        {a: {x-a: 1, c: 1}} -> - {}
          E0102 1:1+1 a map where a list is expected | expected a list | 
        """#

    static let partsAreReadInEveryFormText2 = #"""
        # named
        {} -> -=- {}
        {a: "~"} -> -=- {}
          E0103 1:5+1 a value is missing | expected a map | 
        {a: 5} -> -=- {}
          E0102 1:5+1 `5` where a map is expected | expected a map | 
        {a: x} -> -=- {}
          E0102 1:5+1 `x` where a map is expected | expected a map | 
        {a: {}} ->  {a: {}}
        {a: {n: 2}} -> n=n1 {a: {n: {n: 1}}}
          E0102 1:5+1 `2` where a map is expected | expected a map | 
        {a: {n: 99, m: 1}} -> n=n1,m=m1 {a: {m: {n: 1}, n: {n: 1}}}
          E0102 1:5+2 `99` where a map is expected | expected a map | 
          E0102 1:5+1 `1` where a map is expected | expected a map | 
        {a: []} -> -=- {}
          E0102 1:3+1 a list where a map is expected | expected a map | 
        {a: [1, 2]} -> -=- {}
          E0102 1:3+1 a list where a map is expected | expected a map | 
        {a: [1, 2, 3]} -> -=- {}
          E0102 1:3+1 a list where a map is expected | expected a map | 
        {a: [{n: 3}, {x-own: 1}]} -> -=- {}
          E0102 1:3+1 a list where a map is expected | expected a map | 
        {a: {q: {n: 4}, b: {o: 1}}} -> q=q4,b=b1 {a: {b: {n: 1}, q: {n: 4}}}
          E0104 1:1+1 unknown setting `o` | did you mean `n`? | thing `b` takes n
        {a: {c: {}, d: {}, e: {}}} -> -=- {}
          E0116 1:1+1 3 entries | at most 2 | 
        {a: {x-a: 1, c: 1}} -> c=c1 {a: {c: {n: 1}}}
          E0102 1:5+1 `1` where a map is expected | expected a map | 
        # many
        {} -> - {}
        {a: "~"} -> 1 {a: {n: 1}}
          E0103 1:5+1 `a` is empty | expected a map | write {} for nothing but defaults
        {a: 5} -> 1 {a: {n: 1}}
          E0102 1:5+1 `5` where a map is expected | expected a map | 
        {a: x} -> 1 {a: {n: 1}}
          E0102 1:5+1 `x` where a map is expected | expected a map | 
        {a: {}} -> 1 {a: {n: 1}}
        {a: {n: 2}} -> 2 {a: {n: 2}}
        {a: {n: 99, m: 1}} -> 1 {a: {n: 1}}
          E0108 1:5+2 `99` is out of range | must be from 0 to 9 | 
          E0104 1:11+1 unknown setting `m` | did you mean `n`? | `a` takes n
        {a: []} -> - {}
          E0116 1:3+1 0 items | expected 1 to 2 | 
        {a: [1, 2]} -> 1,1 {a: [{n: 1}, {n: 1}]}
          E0102 1:5+1 `1` where a map is expected | expected a map | 
          E0102 1:5+1 `2` where a map is expected | expected a map | 
        {a: [1, 2, 3]} -> - {}
          E0116 1:3+1 3 items | expected 1 to 2 | 
        {a: [{n: 3}, {x-own: 1}]} -> 3,1 {a: [{n: 3}, {n: 1}]}
        {a: {q: {n: 4}, b: {o: 1}}} -> 1 {a: {n: 1}}
          E0104 1:1+1 unknown setting `q` | did you mean `n`? | `a` takes n
          E0104 1:11+1 unknown setting `b` | did you mean `n`? | `a` takes n
        {a: {c: {}, d: {}, e: {}}} -> 1 {a: {n: 1}}
          E0104 1:1+1 unknown setting `c` | did you mean `n`? | `a` takes n
          E0104 1:11+1 unknown setting `d` | did you mean `n`? | `a` takes n
          E0104 1:21+1 unknown setting `e` | did you mean `n`? | `a` takes n
        {a: {x-a: 1, c: 1}} -> 1 {a: {n: 1}}
          E0104 1:11+1 unknown setting `c` | did you mean `n`? | `a` takes n
        # required
        {} -> 7 {}
          E0101 1:1+1 `a` is missing | client needs `a` | `a` is a whole number
        {a: "~"} -> 7 {a: 7}
          E0103 1:5+1 a value is missing | expected a whole number | remove the key to have the default
        {a: 5} -> 5 {a: 5}
        {a: x} -> 7 {a: 7}
          E0106 1:5+1 `x` is not a number | expected a whole number | 
        {a: {}} -> 7 {a: 7}
          E0102 1:1+1 a map where a whole number is expected | expected a whole number | 
        {a: {n: 2}} -> 7 {a: 7}
          E0102 1:1+1 a map where a whole number is expected | expected a whole number | 
        {a: {n: 99, m: 1}} -> 7 {a: 7}
          E0102 1:1+1 a map where a whole number is expected | expected a whole number | 
        {a: []} -> 7 {a: 7}
          E0102 1:3+1 a list where a whole number is expected | expected a whole number | 
        {a: [1, 2]} -> 7 {a: 7}
          E0102 1:3+1 a list where a whole number is expected | expected a whole number | 
        {a: [1, 2, 3]} -> 7 {a: 7}
          E0102 1:3+1 a list where a whole number is expected | expected a whole number | 
        {a: [{n: 3}, {x-own: 1}]} -> 7 {a: 7}
          E0102 1:3+1 a list where a whole number is expected | expected a whole number | 
        {a: {q: {n: 4}, b: {o: 1}}} -> 7 {a: 7}
          E0102 1:1+1 a map where a whole number is expected | expected a whole number | 
        {a: {c: {}, d: {}, e: {}}} -> 7 {a: 7}
          E0102 1:1+1 a map where a whole number is expected | expected a whole number | 
        {a: {x-a: 1, c: 1}} -> 7 {a: 7}
          E0102 1:1+1 a map where a whole number is expected | expected a whole number | 
        # custom
        {} -> - {}
        {a: "~"} -> "~" {}
        {a: 5} -> 5 {}
        {a: x} -> x {}
        {a: {}} -> {} {}
        {a: {n: 2}} -> {n: 2} {}
        {a: {n: 99, m: 1}} -> {n: 99, m: 1} {}
        {a: []} -> [] {}
        {a: [1, 2]} -> [1, 2] {}
        {a: [1, 2, 3]} -> [1, 2, 3] {}
        {a: [{n: 3}, {x-own: 1}]} -> [{n: 3}, {x-own: 1}] {}
        {a: {q: {n: 4}, b: {o: 1}}} -> {q: {n: 4}, b: {o: 1}} {}
        {a: {c: {}, d: {}, e: {}}} -> {c: {}, d: {}, e: {}} {}
        {a: {x-a: 1, c: 1}} -> {x-a: 1, c: 1} {}
        """#

    static let partsAreReadInEveryFormText3 = #"""
        section: 0 a: ; help / 1 a.n: a number, default 1; number 0
        group: 0 a: ; help / 1 a.n: a number, default 1; number 0
        either: 0 a: text or a map; help / 1 a.n: a number, default 1; number 0
        list: 0 a: a list; help 0
        maps: 0 a: a list; help / 1 a.n: a number, default 1; number 0
        named: 0 a: ; help / 1 a.n: a number, default 1; number 0
        many: 0 a: a map or a list; help / 1 a.n: a number, default 1; number / 1 a.n: a number, default 1; number 0
        required: 0 a: a number, required; help 0
        custom: 0 a: text, required; help 0
        """#

    static let contradictionsAreNotedText = #"""
        {a: 1, bc: 2} ->  {}
          E0215 1:1+1 `a` without `b` | belongs to `b` | 
          E0104 1:11+2 unknown setting `bc` | not known here | client takes a
        {a: 1, bc: 2} ->  {}
          E0104 1:1+1 unknown setting `a` | not known here | client takes bc
          E0215 1:11+2 `bc` without `b` | belongs to `b` | 
        {a: 1, bc: 2} ->  {}
          E0104 1:1+1 unknown setting `a` | not known here | client takes no settings
          E0104 1:11+2 unknown setting `bc` | not known here | client takes no settings
        {a: 1, bc: 2} ->  {}
          E0215 1:1+1 `a` has no effect | remove it | 
          E0215 1:11+2 `bc` has no effect | remove it | 
        {a: 1, bc: 2} -> true false true false 2 {a: 1, bc: 2} 11 1 {}
          E0104 1:1+1 unknown setting `a` | not known here | client takes no settings
          E0104 1:11+2 unknown setting `bc` | not known here | client takes no settings
        {a: 1, bc: 2} ->  {p: 2}
          E0104 1:1+1 unknown setting `a` | not known here | client takes no settings
          E0104 1:11+2 unknown setting `bc` | not known here | client takes no settings
        {a: 1, bc: 2} -> 4 {n: 4} {}
          E0104 1:1+1 unknown setting `a` | not known here | client takes no settings
          E0104 1:11+2 unknown setting `bc` | not known here | client takes no settings
        {a: 1, bc: 2} -> -1 {}
          E0106 0:0+1 `x` is not a number | expected a whole number | 
          E0104 1:1+1 unknown setting `a` | not known here | client takes no settings
          E0104 1:11+2 unknown setting `bc` | not known here | client takes no settings
        """#
}
