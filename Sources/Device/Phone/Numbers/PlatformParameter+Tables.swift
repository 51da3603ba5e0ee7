import DeadzoneBase

// Initialisers for compact parameter tables.

extension PlatformParameter {
    init(_ key: String, _ destination: Destination, _ help: String, _ values: ReleaseValue...) {
        self.init(key: key, help: help, destination: destination, values: values)
    }
}

extension PlatformParameter.ReleaseValue {
    static func since(
        _ release: Int, _ number: Int64, _ trust: Trust, _ source: String = "", note: String = ""
    ) -> Self {
        Self(since: release, number: number, trust: trust, source: source, note: note)
    }

    static func since(
        _ release: Int, _ span: TimeSpan, _ trust: Trust, _ source: String = "", note: String = ""
    ) -> Self {
        since(release, span.nanoseconds, trust, source, note: note)
    }

    static func always(_ number: Int64, _ trust: Trust, _ source: String = "", note: String = "") -> Self {
        since(0, number, trust, source, note: note)
    }

    static func always(_ span: TimeSpan, _ trust: Trust, _ source: String = "", note: String = "") -> Self {
        since(0, span.nanoseconds, trust, source, note: note)
    }
}

/// Citations for the platform parameters.
enum Citation {
    static let aosp = "aosp-mirror/platform_frameworks_base "
    static let doze = aosp + "apex/jobscheduler/service/java/com/android/server/DeviceIdleController.java@01740ef"
    static let doze7 = aosp + "services/core/java/com/android/server/DeviceIdleController.java@0018505"
    static let doze9 =
        "StagOS/android_frameworks_base_p services/core/java/com/android/server/DeviceIdleController.java@23bd770"
    static let doze13 =
        "bananadroid/android_frameworks_base apex/jobscheduler/service/java/com/android/server/DeviceIdleController.java@5c23fb2"
    static let doze15 =
        "muhomorr/platform_frameworks_base-15 apex/jobscheduler/service/java/com/android/server/DeviceIdleController.java@0898a28"
    static let alarms11 =
        aosp + "services/core/java/com/android/server/AlarmManagerService.java, fuzzForDuration, until Android 11"
    static let alarms = aosp + "apex/jobscheduler/service/java/com/android/server/alarm/AlarmManagerService.java"
    static let alarms15 =
        "muhomorr/platform_frameworks_base-15 apex/jobscheduler/service/java/com/android/server/alarm/AlarmManagerService.java@13bba06"
    static let jobs = aosp + "apex/jobscheduler/service/java/com/android/server/job/controllers/QuotaController.java"
    static let buckets = "developer.android.com/topic/performance/appstandby"
    static let power = "developer.android.com/topic/performance/power/power-details"
    static let dozeGuide = "developer.android.com/training/monitoring-device-state/doze-standby"
    static let freezer = aosp + "services/core/java/com/android/server/am/CachedAppOptimizer.java"
    static let networkPolicy = aosp + "core/java/android/net/NetworkPolicyManager.java"
    static let appState = aosp + "apex/jobscheduler/service/java/com/android/server/AppStateTrackerImpl.java"
    static let dataSaver = "developer.android.com/training/basics/network-ops/data-saver"
    static let restriction = power + ", User Restricts Background Activity"
    static let serviceTimeout = "developer.android.com/develop/background-work/services/fgs/timeout"
    static let serviceConstants = aosp + "services/core/java/com/android/server/am/ActivityManagerConstants.java"
    static let connectivity =
        "aosp-mirror/platform_frameworks_base services/core/java/com/android/server/ConnectivityService.java, DEFAULT_LINGER_DELAY_MS"
    static let transition =
        "aosp-mirror/platform_frameworks_base services/core/java/com/android/server/ConnectivityService.java, the network transition wake lock"
    static let destroy = "AOSP commits 4cb4240b and fbe9b1ad"
    static let wake = "bcmdhd, dhd.h: DHD_PACKET_TIMEOUT_MS"
    static let pixel = "power_profile.xml of a phone with 4410 mAh, quoted by the tests of com.tans.tpowercalculator"
    static let background = "developer.apple.com, applicationDidEnterBackground(_:)"
    static let task = "developer.apple.com forums, beginBackgroundTask"
    static let refresh = "developer.apple.com, BGAppRefreshTask"
    static let pushes = "developer.apple.com/documentation/usernotifications/pushing-background-updates-to-your-app"
    static let sockets = "Apple Technical Note TN2277"
    static let frozen = "the articles' matrix of sockets, and Apple's advice to use Network.framework instead"
    /// Battery histories of real phones in public repositories: an Android 8 phone, a One UI phone, a HyperOS phone.
    static let dozeDumps = "\(pixelHistory); \(oneUIHistory); \(hyperOSHistory)"
    static let pixelHistory = "lixw1021/DriverMiles batterystats.txt@84b7521"
    static let oneUIHistory = "earth-metabolome-initiative/emi-application-android batterystats.txt@0218a56"
    static let hyperOSHistory =
        "Fishbonec/Bugreport-of-Andorid-smart-phone-by-ADB batterystats.txt and batterystats4.txt@a8b6f27"
    static let dontKill = "dontkillmyapp.com"
    static let articles = "the articles' own figure"
}
