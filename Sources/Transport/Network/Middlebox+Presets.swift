import DeadzoneBase

extension Middlebox {
    /// A predefined middlebox that scenarios can name, with a description of its numbers' source.
    package struct NamedMiddlebox: Sendable {
        package let name: String
        package let about: String
        package let box: Middlebox

        init(_ name: String, tcp: TimeSpan, udp: TimeSpan = .longest, expiryAction: ExpiryAction = .drop, about: String)
        {
            self.name = name
            self.about = about
            box = Middlebox(tcp: tcp, udp: udp, expiryAction: expiryAction)
        }
    }

    package static func named(_ name: String) -> Middlebox? { presets.first { $0.name == name }?.box }

    /// All predefined middleboxes. Timeouts differ from carrier to carrier and from year to year, so a scenario that
    /// depends on one states the reason for its value.
    package static let presets = carriers + firewalls + balancers

    /// Middleboxes of mobile carriers. Most have round timeouts in the range of field reports, and their names contain
    /// the seconds. For UDP, RFC 4787 §4.3 requires two minutes, and carriers were observed to use less.
    private static let carriers = [
        NamedMiddlebox(
            "carrier-nat-30", tcp: .seconds(30), udp: .seconds(30),
            about: "30 s, the short end of users' reports about carriers; UDP the same (assumed)"),
        NamedMiddlebox(
            "carrier-nat-60", tcp: .seconds(60), udp: .seconds(30),
            about: "60 s, the middle of users' reports about carriers; UDP 30 s (assumed)"),
        NamedMiddlebox(
            "carrier-nat-120", tcp: .seconds(120), udp: .seconds(30),
            about: "120 s, reported by users of many carriers; UDP 30 s (assumed)"),
        NamedMiddlebox(
            "carrier-nat-300", tcp: .seconds(300), udp: .seconds(30),
            about:
                "300 s, an operator in microg/GmsCore PR #74; 4 of 73 carriers forget TCP within 5 min (Wang et al., SIGCOMM 2011); UDP 30 s (assumed)"
        ),
        NamedMiddlebox(
            "carrier-nat-1800", tcp: .seconds(1_800), udp: .seconds(60),
            about:
                "30 min; 62 of 73 carriers keep TCP for 10 min or longer (Wang et al., SIGCOMM 2011); UDP 60 s (assumed)"
        ),
        NamedMiddlebox(
            "carrier-firewall-255", tcp: .seconds(255), udp: .seconds(30), expiryAction: .reset,
            about: "255 s, then RST: one carrier of Wang et al., SIGCOMM 2011; UDP 30 s (assumed)"),
        NamedMiddlebox(
            "carrier-one-way", tcp: .seconds(60), udp: .seconds(60), expiryAction: .oneWay,
            about:
                "after silence, downlink packets are dropped and uplink packets pass: eclipse-mosquitto/mosquitto#3543; 60 s is assumed"
        ),
        NamedMiddlebox(
            "twilio-sim", tcp: .hours(6), udp: .seconds(30),
            about:
                "TCP 6 h, UDP 30 s: twilio.com/docs/iot/supersim/super-sim-network-timeouts; silent expiry is assumed"
        ),
        NamedMiddlebox(
            "rfc-nat", tcp: .minutes(124), udp: .minutes(2),
            about: "the minimum of the standards: TCP 2 h 4 min (RFC 5382 REQ-5), UDP 2 min (RFC 4787 REQ-5)"),
    ]

    private static let firewalls = [
        NamedMiddlebox(
            "office-firewall", tcp: .seconds(120), udp: .seconds(30),
            about: "120 s, silent: grpc/grpc-dart#157; UDP 30 s (assumed)"),
        NamedMiddlebox(
            "udp-blocked", tcp: .seconds(120), udp: Middlebox.blocked,
            about:
                "UDP is blocked, as in 3 to 5 % of networks (RFC 9308 section 2), mostly of companies (Langley et al., SIGCOMM 2017, section 7.2); TCP 120 s (assumed)"
        ),
        NamedMiddlebox(
            "aws-network-firewall", tcp: .seconds(350), udp: .seconds(120),
            about:
                "350 s by default, 60 to 6,000 (TCP idle timeout of AWS Network Firewall); silent expiry and UDP 120 s are assumed"
        ),
        NamedMiddlebox(
            "gcp-firewall", tcp: .minutes(10), udp: .minutes(10),
            about:
                "10 min for every protocol, then silent: connection tracking of VPC firewall rules, cloud.google.com/vpc/docs/firewalls"
        ),
        NamedMiddlebox(
            "linux-conntrack", tcp: .hours(120), udp: .seconds(30),
            about:
                "nf_conntrack_tcp_timeout_established 432,000 s, nf_conntrack_udp_timeout 30 s: torvalds/linux Documentation/networking/nf_conntrack-sysctl.rst"
        ),
    ]

    private static let balancers = [
        NamedMiddlebox(
            "aws-nlb", tcp: .seconds(350), udp: .seconds(120), expiryAction: .reset,
            about:
                "350 s of silence, then RST to the next sender: docs.aws.amazon.com, Network Load Balancers, TCP idle timeout, and grpc/grpc-go#2443; UDP 120 s: the AWS networking blog on configurable idle timeouts"
        ),
        NamedMiddlebox(
            "aws-alb", tcp: .seconds(60), expiryAction: .close,
            about:
                "60 s by default, 1 to 4,000, then it closes: docs.aws.amazon.com, Application Load Balancers, connection idle timeout (idle_timeout.timeout_seconds)"
        ),
        NamedMiddlebox(
            "aws-elb", tcp: .seconds(60), expiryAction: .close,
            about:
                "60 s, then it closes both connections: docs.aws.amazon.com, Classic Load Balancers, config-idle-timeout; there TCP keepalive does not count, in this model it does"
        ),
        NamedMiddlebox(
            "gcp-lb", tcp: .minutes(10), expiryAction: .close,
            about:
                "600 s HTTP keepalive, then it closes: cloud.google.com/load-balancing/docs/https/request-distribution"),
        NamedMiddlebox(
            "azure-lb", tcp: .minutes(4), udp: .minutes(4),
            about: "4 min, silent by default: learn.microsoft.com, Azure Load Balancer, load-balancer-tcp-reset"),
        NamedMiddlebox(
            "azure-lb-reset", tcp: .minutes(4), udp: .minutes(4), expiryAction: .close,
            about: "4 min, then RST to both ends at once, if TCP reset is enabled: the same page"),
        NamedMiddlebox("lvs", tcp: .seconds(90), about: "90 s, silent: square/okhttp#3261"),
        NamedMiddlebox(
            "cdn-websocket", tcp: .seconds(100), expiryAction: .close,
            about: "100 s, then the WebSocket is closed: buildbot/buildbot#4078 behind a CDN"),
        NamedMiddlebox(
            "stream-proxy", tcp: .seconds(600), expiryAction: .close,
            about: "proxy_timeout of 10 min, the default of nginx's stream proxy: hashicorp/boundary#3133"),
        NamedMiddlebox(
            "websocket-gateway", tcp: .seconds(600), expiryAction: .close,
            about: "10 min idle limit of an API gateway: michalkvasnicak/aws-lambda-graphql#136"),
    ]
}
