/// Polynomial coefficients and region boundaries of PPND16, Wichura's algorithm for normal quantiles. Each polynomial
/// is in t, a fraction of 2^64. The published coefficient of degree i is multiplied by 4^-i in the centre, where t =
/// 4r, and by 4^i in the tails, where t = r / 4. All are in units of 2^-53, so that no polynomial sum reaches 2^64.
enum Wichura {
    /// Probability 0.075, in units of 2^-64: below it the tail formulas of the normal quantile apply.
    static let tailBegins: UInt64 = 0x1333_3333_3333_3334
    /// The constant 0.425² of the formula for the centre, in units of 2^-64.
    static let centre: UInt64 = 0x2E3D_70A3_D70A_3D70
    /// The constant 1.6, subtracted from sqrt(-ln p) in the formula for the tail, in units of 2^-61; p is the tail
    /// probability.
    static let tailOrigin: UInt64 = 0x3333_3333_3333_3333
    /// The value 5 of sqrt(-ln p) above which the formula for the far tail applies, in units of 2^-61; p is the tail
    /// probability.
    static let farTailBegins: UInt64 = 0xA000_0000_0000_0000
    /// Constant term of the line 0.18085 + 1.07977 x, in units of 2^-64. The line is the first approximation of the
    /// square root of x, the best one for x in 2.59/64…44.4/64.
    static let rootAtZero: UInt64 = 0x2E4C_4527_FD4A_1800
    /// Slope of that line minus one: 0.07977, in units of 2^-64.
    static let rootSlopeBeyondOne: UInt64 = 0x146B_F71F_05D4_AB00

    /// Evaluates a polynomial in t by Horner's rule, with positive terms only. The result is at most one unit too small
    /// per step.
    @inline(__always) private static func polynomial(
        _ t: UInt64, _ k0: UInt64, _ k1: UInt64, _ k2: UInt64, _ k3: UInt64, _ k4: UInt64, _ k5: UInt64, _ k6: UInt64,
        _ k7: UInt64
    ) -> UInt64 {
        var sum = k6 &+ k7.fraction(t)
        sum = k5 &+ sum.fraction(t)
        sum = k4 &+ sum.fraction(t)
        sum = k3 &+ sum.fraction(t)
        sum = k2 &+ sum.fraction(t)
        sum = k1 &+ sum.fraction(t)
        return k0 &+ sum.fraction(t)
    }

    @inline(__always) static func a(_ t: UInt64) -> UInt64 {
        polynomial(
            t,
            0x006C_6364_7A7B_BDD5,  // 3.3871328727963666080e0
            0x0429_2222_C690_DB7B,  // 1.3314166789178437745e+2
            0x0F67_2E91_09E0_6635,  // 1.9715909503065514427e+3
            0x1AD1_D8CD_4EE7_1D39,  // 1.3731693765509461125e+4
            0x166C_3E86_9B75_2A42,  // 4.5921953931549871457e+4
            0x0836_0E2A_DBC7_8FC9,  // 6.7265770927008700853e+4
            0x0105_2D26_B2E4_5E40,  // 3.3430575583588128105e+4
            0x0004_E68A_5BDF_6498  // 2.5090809287301226727e+3
        )
    }

    @inline(__always) static func b(_ t: UInt64) -> UInt64 {
        polynomial(
            t,
            0x0020_0000_0000_0000,  // 1
            0x0152_81B3_86E1_AB50,  // 4.2313330701600911252e+1
            0x055E_5FBF_722C_FDCC,  // 6.8718700749205790830e+2
            0x0A89_1917_3AE4_4F88,  // 5.3941960214247511077e+3
            0x0A5B_B96A_EB29_32E3,  // 2.1213794301586595867e+4
            0x04CC_5F2A_993D_2F91,  // 3.9307895800092710610e+4
            0x00E0_722B_E58D_73AF,  // 2.8729085735721942674e+4
            0x000A_353F_654C_25B5  // 5.2264952788528545610e+3
        )
    }

    @inline(__always) static func c(_ t: UInt64) -> UInt64 {
        polynomial(
            t,
            0x002D_8CCB_FBD2_A4D5,  // 1.42343711074968357734e0
            0x0250_AEE9_1956_3353,  // 4.63033784615654529590e0
            0x0B89_FB8A_3112_B53B,  // 5.76949722146069140550e0
            0x1D2E_CB1A_3D02_C42B,  // 3.64784832476320460504e0
            0x28A7_9810_A6EB_6391,  // 1.27045825245236838258e0
            0x1EF2_ABB9_B85C_3701,  // 2.41780725177450611770e-1
            0x0BA2_75B6_22F6_3398,  // 2.27238449892691845833e-2
            0x0196_15AC_0B7A_CE93  // 7.74545014278341407640e-4
        )
    }

    @inline(__always) static func d(_ t: UInt64) -> UInt64 {
        polynomial(
            t,
            0x0020_0000_0000_0000,  // 1
            0x0106_CEFB_B46A_4489,  // 2.05319162663775882187e0
            0x035A_4F1C_CA4C_C667,  // 1.67638483018380384940e0
            0x0584_A4BC_8CE1_723C,  // 6.89767334985100004550e-1
            0x04BD_448C_E53C_0FFA,  // 1.48103976427480074590e-1
            0x01F2_07A7_EAB1_7BF3,  // 1.51986665636164571966e-2
            0x0047_C632_FF7C_9C9E,  // 5.47593808499534494600e-4
            0x0000_0024_1A7E_D0C8  // 1.05075007164441684324e-9
        )
    }

    @inline(__always) static func e(_ t: UInt64) -> UInt64 {
        polynomial(
            t,
            0x00D5_0D8E_09F7_2934,  // 6.65790464350110377720e0
            0x02BB_5D4D_D0EA_0061,  // 5.46378491116411436990e0
            0x0391_D4C8_C3F4_889F,  // 1.78482653991729133580e0
            0x025F_5B26_2A4A_B9EC,  // 2.96560571828504891230e-1
            0x00D9_5A08_C9DA_7736,  // 2.65321895265761230930e-2
            0x0028_B832_1084_A68A,  // 1.24266094738807843860e-3
            0x0003_8DD8_D98B_3C05,  // 2.71155556874348757815e-5
            0x0000_1AFB_74D6_93C0  // 2.01033439929228813265e-7
        )
    }

    @inline(__always) static func f(_ t: UInt64) -> UInt64 {
        polynomial(
            t,
            0x0020_0000_0000_0000,  // 1
            0x004C_C74D_3F1F_5DFA,  // 5.99832206555887937690e-1
            0x0046_1BAC_60D1_0FEC,  // 1.36929880922735805310e-1
            0x001E_76F9_3215_462A,  // 1.48753612908506148525e-2
            0x0006_722F_25E7_7176,  // 7.86869131145613259100e-4
            0x0000_9AE1_624B_1BA6,  // 1.84631831751005468180e-5
            0x0000_04C5_11BD_D02E,  // 1.42151175831644588870e-7
            0x0000_0000_0004_9A70  // 2.04426310338993978564e-15
        )
    }
}
