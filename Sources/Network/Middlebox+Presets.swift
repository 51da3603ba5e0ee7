import DeadzonePrimitives

extension Middlebox {
    /// A box that can be named, and where its numbers are from.
    public struct Preset: Sendable {
        public let name: String
        public let about: String
        public let box: Middlebox

        init(_ name: String, tcp: TimeSpan, udp: TimeSpan = .longest, manner: Manner = .drop, about: String) {
            self.name = name
            self.about = about
            box = Middlebox(tcp: tcp, udp: udp, manner: manner)
        }
    }

    public static func named(_ name: String) -> Middlebox? { presets.first { $0.name == name }?.box }

    /// Timeouts differ from carrier to carrier and from year to year: a scenario that depends on one says why it has it.
    public static let presets = carriers + firewalls + balancers

    /// Round numbers between which field reports lie, named by their seconds; for UDP RFC 4787 §4.3 asks for two minutes, and
    /// carriers are seen to have less.
    private static let carriers = [
        Preset(
            "carrier-nat-30", tcp: .seconds(30), udp: .seconds(30),
            about: "30 s, the short end of what users report of carriers; UDP the same (assumed)"),
        Preset(
            "carrier-nat-60", tcp: .seconds(60), udp: .seconds(30),
            about: "60 s, the middle of what users report of carriers; UDP 30 s (assumed)"),
        Preset(
            "carrier-nat-120", tcp: .seconds(120), udp: .seconds(30),
            about: "120 s, what users report of many carriers; UDP 30 s (assumed)"),
        Preset(
            "carrier-nat-300", tcp: .seconds(300), udp: .seconds(30),
            about:
                "300 s, an operator in microg/GmsCore PR #74; 4 of 73 carriers forget TCP within 5 min (Wang et al., SIGCOMM 2011); UDP 30 s (assumed)"
        ),
        Preset(
            "carrier-nat-1800", tcp: .seconds(1_800), udp: .seconds(60),
            about:
                "30 min; 62 of 73 carriers keep TCP for 10 min or longer (Wang et al., SIGCOMM 2011); UDP 60 s (assumed)"
        ),
        Preset(
            "carrier-firewall-255", tcp: .seconds(255), udp: .seconds(30), manner: .reset,
            about: "255 s, then RST: one carrier of Wang et al., SIGCOMM 2011; UDP 30 s (assumed)"),
        Preset(
            "carrier-one-way", tcp: .seconds(60), udp: .seconds(60), manner: .oneWay,
            about:
                "what comes down is blocked after silence, what goes up is not: eclipse-mosquitto/mosquitto#3543; 60 s is assumed"
        ),
        Preset(
            "twilio-sim", tcp: .hours(6), udp: .seconds(30),
            about:
                "TCP 6 h, UDP 30 s: twilio.com/docs/iot/supersim/super-sim-network-timeouts; silence at expiry is assumed"
        ),
        Preset(
            "rfc-nat", tcp: .minutes(124), udp: .minutes(2),
            about: "what the standards ask for at least: TCP 2 h 4 min (RFC 5382 REQ-5), UDP 2 min (RFC 4787 REQ-5)"),
    ]

    private static let firewalls = [
        Preset(
            "office-firewall", tcp: .seconds(120), udp: .seconds(30),
            about: "120 s, silent: grpc/grpc-dart#157; UDP 30 s (assumed)"),
        Preset(
            "aws-network-firewall", tcp: .seconds(350), udp: .seconds(120),
            about:
                "350 s by default, 60 to 6,000 (TCP idle timeout of AWS Network Firewall); silence, and UDP 120 s, are assumed"
        ),
        Preset(
            "gcp-firewall", tcp: .minutes(10), udp: .minutes(10),
            about:
                "10 min for every protocol, then silence: connection tracking of VPC firewall rules, cloud.google.com/vpc/docs/firewalls"
        ),
        Preset(
            "linux-conntrack", tcp: .hours(120), udp: .seconds(30),
            about:
                "nf_conntrack_tcp_timeout_established 432,000 s, nf_conntrack_udp_timeout 30 s: torvalds/linux Documentation/networking/nf_conntrack-sysctl.rst"
        ),
    ]

    private static let balancers = [
        Preset(
            "aws-nlb", tcp: .seconds(350), udp: .seconds(120), manner: .reset,
            about:
                "350 s without a word, then RST to whoever sends: docs.aws.amazon.com, Network Load Balancers, TCP idle timeout, and grpc/grpc-go#2443; UDP 120 s: the AWS networking blog on configurable idle timeouts"
        ),
        Preset(
            "aws-alb", tcp: .seconds(60), manner: .close,
            about:
                "60 s by default, 1 to 4,000, then it closes: docs.aws.amazon.com, Application Load Balancers, connection idle timeout (idle_timeout.timeout_seconds)"
        ),
        Preset(
            "aws-elb", tcp: .seconds(60), manner: .close,
            about:
                "60 s, then it closes both connections: docs.aws.amazon.com, Classic Load Balancers, config-idle-timeout; TCP keepalive does not count there, and does here"
        ),
        Preset(
            "gcp-lb", tcp: .minutes(10), manner: .close,
            about:
                "600 s HTTP keepalive, then it closes: cloud.google.com/load-balancing/docs/https/request-distribution"),
        Preset(
            "azure-lb", tcp: .minutes(4), udp: .minutes(4),
            about: "4 min, silent by default: learn.microsoft.com, Azure Load Balancer, load-balancer-tcp-reset"),
        Preset(
            "azure-lb-reset", tcp: .minutes(4), udp: .minutes(4), manner: .close,
            about: "4 min, then RST both ways at once, where TCP reset is enabled: the same page"),
        Preset("lvs", tcp: .seconds(90), about: "90 s, silent: square/okhttp#3261"),
        Preset(
            "cdn-websocket", tcp: .seconds(100), manner: .close,
            about: "100 s, then the WebSocket is closed: buildbot/buildbot#4078 behind a CDN"),
        Preset(
            "stream-proxy", tcp: .seconds(600), manner: .close,
            about: "proxy_timeout of 10 min, the default of nginx's stream proxy: hashicorp/boundary#3133"),
        Preset(
            "websocket-gateway", tcp: .seconds(600), manner: .close,
            about: "10 min idle limit of an API gateway: michalkvasnicak/aws-lambda-graphql#136"),
    ]
}
