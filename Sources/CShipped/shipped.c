#include "CShipped.h"

// Directives within the list: each file's bytes stand between its name and the next name. The compiler notes them as what this file
// depends on, so that an edited scenario is built in anew.
#pragma clang diagnostic ignored "-Wc23-extensions"
#define BEGIN { "", (const unsigned char[]) { 0
#define FILE(path) , 0 } }, { path, (const unsigned char[]) {
#define END , 0 } }

static const struct shipped_file files[] = {
BEGIN
FILE("Scenarios/README.md")
#embed "../../Scenarios/README.md"
FILE("Scenarios/articles/bloom-filter.yaml")
#embed "../../Scenarios/articles/bloom-filter.yaml"
FILE("Scenarios/articles/day-in-the-life.yaml")
#embed "../../Scenarios/articles/day-in-the-life.yaml"
FILE("Scenarios/articles/deadline-by-state.yaml")
#embed "../../Scenarios/articles/deadline-by-state.yaml"
FILE("Scenarios/articles/decision-matrix.yaml")
#embed "../../Scenarios/articles/decision-matrix.yaml"
FILE("Scenarios/articles/dedup-window.yaml")
#embed "../../Scenarios/articles/dedup-window.yaml"
FILE("Scenarios/articles/flow-control-reads.yaml")
#embed "../../Scenarios/articles/flow-control-reads.yaml"
FILE("Scenarios/articles/flow-control-writes.yaml")
#embed "../../Scenarios/articles/flow-control-writes.yaml"
FILE("Scenarios/articles/grpc-heartbeat.yaml")
#embed "../../Scenarios/articles/grpc-heartbeat.yaml"
FILE("Scenarios/articles/ios-transitions.yaml")
#embed "../../Scenarios/articles/ios-transitions.yaml"
FILE("Scenarios/articles/ping-against-stalls.yaml")
#embed "../../Scenarios/articles/ping-against-stalls.yaml"
FILE("Scenarios/articles/pitfalls-1-idle-pings.yaml")
#embed "../../Scenarios/articles/pitfalls-1-idle-pings.yaml"
FILE("Scenarios/articles/pitfalls-2-linear-retry.yaml")
#embed "../../Scenarios/articles/pitfalls-2-linear-retry.yaml"
FILE("Scenarios/articles/pitfalls-3-one-deadline.yaml")
#embed "../../Scenarios/articles/pitfalls-3-one-deadline.yaml"
FILE("Scenarios/articles/pitfalls-4-unbounded-buffer.yaml")
#embed "../../Scenarios/articles/pitfalls-4-unbounded-buffer.yaml"
FILE("Scenarios/articles/pitfalls-5-late-cursor.yaml")
#embed "../../Scenarios/articles/pitfalls-5-late-cursor.yaml"
FILE("Scenarios/articles/pitfalls-6-slow-collector.yaml")
#embed "../../Scenarios/articles/pitfalls-6-slow-collector.yaml"
FILE("Scenarios/articles/pitfalls-7-full-handshakes.yaml")
#embed "../../Scenarios/articles/pitfalls-7-full-handshakes.yaml"
FILE("Scenarios/articles/polling-headers.yaml")
#embed "../../Scenarios/articles/polling-headers.yaml"
FILE("Scenarios/articles/reachability.yaml")
#embed "../../Scenarios/articles/reachability.yaml"
FILE("Scenarios/battery/adaptive-ping.yaml")
#embed "../../Scenarios/battery/adaptive-ping.yaml"
FILE("Scenarios/battery/backoff-cap.yaml")
#embed "../../Scenarios/battery/backoff-cap.yaml"
FILE("Scenarios/battery/batched-uploads.yaml")
#embed "../../Scenarios/battery/batched-uploads.yaml"
FILE("Scenarios/battery/datagram-curve.yaml")
#embed "../../Scenarios/battery/datagram-curve.yaml"
FILE("Scenarios/battery/no-wait-at-all.yaml")
#embed "../../Scenarios/battery/no-wait-at-all.yaml"
FILE("Scenarios/battery/ping-curve.yaml")
#embed "../../Scenarios/battery/ping-curve.yaml"
FILE("Scenarios/battery/thirty-second-job.yaml")
#embed "../../Scenarios/battery/thirty-second-job.yaml"
FILE("Scenarios/battery/tunnel-answers.yaml")
#embed "../../Scenarios/battery/tunnel-answers.yaml"
FILE("Scenarios/battery/tunnel-keepalive.yaml")
#embed "../../Scenarios/battery/tunnel-keepalive.yaml"
FILE("Scenarios/battery/tunnel-made-anew.yaml")
#embed "../../Scenarios/battery/tunnel-made-anew.yaml"
FILE("Scenarios/battery/two-pingers.yaml")
#embed "../../Scenarios/battery/two-pingers.yaml"
FILE("Scenarios/battery/two-sockets.yaml")
#embed "../../Scenarios/battery/two-sockets.yaml"
FILE("Scenarios/battery/unreachable-server.yaml")
#embed "../../Scenarios/battery/unreachable-server.yaml"
FILE("Scenarios/battery/weak-signal.yaml")
#embed "../../Scenarios/battery/weak-signal.yaml"
FILE("Scenarios/claims/ablation.yaml")
#embed "../../Scenarios/claims/ablation.yaml"
FILE("Scenarios/claims/after-a-failure.yaml")
#embed "../../Scenarios/claims/after-a-failure.yaml"
FILE("Scenarios/claims/after-another-error.yaml")
#embed "../../Scenarios/claims/after-another-error.yaml"
FILE("Scenarios/claims/aggressive.yaml")
#embed "../../Scenarios/claims/aggressive.yaml"
FILE("Scenarios/claims/backpressure.yaml")
#embed "../../Scenarios/claims/backpressure.yaml"
FILE("Scenarios/claims/buffer.yaml")
#embed "../../Scenarios/claims/buffer.yaml"
FILE("Scenarios/claims/calls-that-wait.yaml")
#embed "../../Scenarios/claims/calls-that-wait.yaml"
FILE("Scenarios/claims/categories.yaml")
#embed "../../Scenarios/claims/categories.yaml"
FILE("Scenarios/claims/cursor-receipts.yaml")
#embed "../../Scenarios/claims/cursor-receipts.yaml"
FILE("Scenarios/claims/days-of-chaos.yaml")
#embed "../../Scenarios/claims/days-of-chaos.yaml"
FILE("Scenarios/claims/deadline-by-network.yaml")
#embed "../../Scenarios/claims/deadline-by-network.yaml"
FILE("Scenarios/claims/debounce.yaml")
#embed "../../Scenarios/claims/debounce.yaml"
FILE("Scenarios/claims/doze-windows.yaml")
#embed "../../Scenarios/claims/doze-windows.yaml"
FILE("Scenarios/claims/first-call.yaml")
#embed "../../Scenarios/claims/first-call.yaml"
FILE("Scenarios/claims/flapping.yaml")
#embed "../../Scenarios/claims/flapping.yaml"
FILE("Scenarios/claims/flush-without-confirmation.yaml")
#embed "../../Scenarios/claims/flush-without-confirmation.yaml"
FILE("Scenarios/claims/frozen-socket.yaml")
#embed "../../Scenarios/claims/frozen-socket.yaml"
FILE("Scenarios/claims/handoff.yaml")
#embed "../../Scenarios/claims/handoff.yaml"
FILE("Scenarios/claims/handshake.yaml")
#embed "../../Scenarios/claims/handshake.yaml"
FILE("Scenarios/claims/heartbeat.yaml")
#embed "../../Scenarios/claims/heartbeat.yaml"
FILE("Scenarios/claims/herd.yaml")
#embed "../../Scenarios/claims/herd.yaml"
FILE("Scenarios/claims/how-far-jitter-spreads.yaml")
#embed "../../Scenarios/claims/how-far-jitter-spreads.yaml"
FILE("Scenarios/claims/how-long-away.yaml")
#embed "../../Scenarios/claims/how-long-away.yaml"
FILE("Scenarios/claims/idle-connections.yaml")
#embed "../../Scenarios/claims/idle-connections.yaml"
FILE("Scenarios/claims/idle-timeout.yaml")
#embed "../../Scenarios/claims/idle-timeout.yaml"
FILE("Scenarios/claims/ios-background.yaml")
#embed "../../Scenarios/claims/ios-background.yaml"
FILE("Scenarios/claims/keepalive-60s.yaml")
#embed "../../Scenarios/claims/keepalive-60s.yaml"
FILE("Scenarios/claims/keepalive-interval.yaml")
#embed "../../Scenarios/claims/keepalive-interval.yaml"
FILE("Scenarios/claims/keepalive-timeout.yaml")
#embed "../../Scenarios/claims/keepalive-timeout.yaml"
FILE("Scenarios/claims/killed-for-memory.yaml")
#embed "../../Scenarios/claims/killed-for-memory.yaml"
FILE("Scenarios/claims/late-cursor.yaml")
#embed "../../Scenarios/claims/late-cursor.yaml"
FILE("Scenarios/claims/lone-ping.yaml")
#embed "../../Scenarios/claims/lone-ping.yaml"
FILE("Scenarios/claims/lost-acknowledgement.yaml")
#embed "../../Scenarios/claims/lost-acknowledgement.yaml"
FILE("Scenarios/claims/lost-confirmation.yaml")
#embed "../../Scenarios/claims/lost-confirmation.yaml"
FILE("Scenarios/claims/one-switch.yaml")
#embed "../../Scenarios/claims/one-switch.yaml"
FILE("Scenarios/claims/overflow.yaml")
#embed "../../Scenarios/claims/overflow.yaml"
FILE("Scenarios/claims/path-change.yaml")
#embed "../../Scenarios/claims/path-change.yaml"
FILE("Scenarios/claims/polling-delay.yaml")
#embed "../../Scenarios/claims/polling-delay.yaml"
FILE("Scenarios/claims/polling-interval.yaml")
#embed "../../Scenarios/claims/polling-interval.yaml"
FILE("Scenarios/claims/polling-weight.yaml")
#embed "../../Scenarios/claims/polling-weight.yaml"
FILE("Scenarios/claims/printed-heartbeat.yaml")
#embed "../../Scenarios/claims/printed-heartbeat.yaml"
FILE("Scenarios/claims/promotion.yaml")
#embed "../../Scenarios/claims/promotion.yaml"
FILE("Scenarios/claims/push-instead-of-a-socket.yaml")
#embed "../../Scenarios/claims/push-instead-of-a-socket.yaml"
FILE("Scenarios/claims/radio-between-waves.yaml")
#embed "../../Scenarios/claims/radio-between-waves.yaml"
FILE("Scenarios/claims/ranking.yaml")
#embed "../../Scenarios/claims/ranking.yaml"
FILE("Scenarios/claims/reads.yaml")
#embed "../../Scenarios/claims/reads.yaml"
FILE("Scenarios/claims/resume-from-a-cursor.yaml")
#embed "../../Scenarios/claims/resume-from-a-cursor.yaml"
FILE("Scenarios/claims/resumption.yaml")
#embed "../../Scenarios/claims/resumption.yaml"
FILE("Scenarios/claims/retry-attempts.yaml")
#embed "../../Scenarios/claims/retry-attempts.yaml"
FILE("Scenarios/claims/server-held.yaml")
#embed "../../Scenarios/claims/server-held.yaml"
FILE("Scenarios/claims/sessions.yaml")
#embed "../../Scenarios/claims/sessions.yaml"
FILE("Scenarios/claims/seventy-two-hours.yaml")
#embed "../../Scenarios/claims/seventy-two-hours.yaml"
FILE("Scenarios/claims/small-at-once.yaml")
#embed "../../Scenarios/claims/small-at-once.yaml"
FILE("Scenarios/claims/spurious-events.yaml")
#embed "../../Scenarios/claims/spurious-events.yaml"
FILE("Scenarios/claims/storm.yaml")
#embed "../../Scenarios/claims/storm.yaml"
FILE("Scenarios/claims/stream-deadline.yaml")
#embed "../../Scenarios/claims/stream-deadline.yaml"
FILE("Scenarios/claims/stream-ends-in-order.yaml")
#embed "../../Scenarios/claims/stream-ends-in-order.yaml"
FILE("Scenarios/claims/streams.yaml")
#embed "../../Scenarios/claims/streams.yaml"
FILE("Scenarios/claims/ten-minute-backlog.yaml")
#embed "../../Scenarios/claims/ten-minute-backlog.yaml"
FILE("Scenarios/claims/time-of-a-push.yaml")
#embed "../../Scenarios/claims/time-of-a-push.yaml"
FILE("Scenarios/claims/tls.yaml")
#embed "../../Scenarios/claims/tls.yaml"
FILE("Scenarios/claims/two-flaws.yaml")
#embed "../../Scenarios/claims/two-flaws.yaml"
FILE("Scenarios/claims/two-seconds.yaml")
#embed "../../Scenarios/claims/two-seconds.yaml"
FILE("Scenarios/claims/what-is-success.yaml")
#embed "../../Scenarios/claims/what-is-success.yaml"
FILE("Scenarios/claims/window-of-receipts.yaml")
#embed "../../Scenarios/claims/window-of-receipts.yaml"
FILE("Scenarios/claims/without-calls.yaml")
#embed "../../Scenarios/claims/without-calls.yaml"
FILE("Scenarios/claims/without-flow-control.yaml")
#embed "../../Scenarios/claims/without-flow-control.yaml"
FILE("Scenarios/claims/writes.yaml")
#embed "../../Scenarios/claims/writes.yaml"
FILE("Scenarios/claims/zero-backoff.yaml")
#embed "../../Scenarios/claims/zero-backoff.yaml"
FILE("Scenarios/days/border.yaml")
#embed "../../Scenarios/days/border.yaml"
FILE("Scenarios/days/conference.yaml")
#embed "../../Scenarios/days/conference.yaml"
FILE("Scenarios/days/flight.yaml")
#embed "../../Scenarios/days/flight.yaml"
FILE("Scenarios/days/office-vpn.yaml")
#embed "../../Scenarios/days/office-vpn.yaml"
FILE("Scenarios/days/office.yaml")
#embed "../../Scenarios/days/office.yaml"
FILE("Scenarios/days/rural.yaml")
#embed "../../Scenarios/days/rural.yaml"
FILE("Scenarios/days/stadium.yaml")
#embed "../../Scenarios/days/stadium.yaml"
FILE("Scenarios/days/subway.yaml")
#embed "../../Scenarios/days/subway.yaml"
FILE("Scenarios/days/train.yaml")
#embed "../../Scenarios/days/train.yaml"
FILE("Scenarios/doze/alarm-batching.yaml")
#embed "../../Scenarios/doze/alarm-batching.yaml"
FILE("Scenarios/doze/back-in-front.yaml")
#embed "../../Scenarios/doze/back-in-front.yaml"
FILE("Scenarios/doze/backoff-sleeps-too.yaml")
#embed "../../Scenarios/doze/backoff-sleeps-too.yaml"
FILE("Scenarios/doze/call-after-chats.yaml")
#embed "../../Scenarios/doze/call-after-chats.yaml"
FILE("Scenarios/doze/data-saver.yaml")
#embed "../../Scenarios/doze/data-saver.yaml"
FILE("Scenarios/doze/file-picker.yaml")
#embed "../../Scenarios/doze/file-picker.yaml"
FILE("Scenarios/doze/foreground-service-cycle.yaml")
#embed "../../Scenarios/doze/foreground-service-cycle.yaml"
FILE("Scenarios/doze/ios-suspend.yaml")
#embed "../../Scenarios/doze/ios-suspend.yaml"
FILE("Scenarios/doze/metered-wifi.yaml")
#embed "../../Scenarios/doze/metered-wifi.yaml"
FILE("Scenarios/doze/night-pushed.yaml")
#embed "../../Scenarios/doze/night-pushed.yaml"
FILE("Scenarios/doze/night.yaml")
#embed "../../Scenarios/doze/night.yaml"
FILE("Scenarios/doze/push-priority.yaml")
#embed "../../Scenarios/doze/push-priority.yaml"
FILE("Scenarios/doze/push-token-void.yaml")
#embed "../../Scenarios/doze/push-token-void.yaml"
FILE("Scenarios/doze/pushes-discarded.yaml")
#embed "../../Scenarios/doze/pushes-discarded.yaml"
FILE("Scenarios/doze/race-with-the-broker.yaml")
#embed "../../Scenarios/doze/race-with-the-broker.yaml"
FILE("Scenarios/doze/restricted-app.yaml")
#embed "../../Scenarios/doze/restricted-app.yaml"
FILE("Scenarios/doze/said-in-front.yaml")
#embed "../../Scenarios/doze/said-in-front.yaml"
FILE("Scenarios/doze/service-time-limit.yaml")
#embed "../../Scenarios/doze/service-time-limit.yaml"
FILE("Scenarios/doze/token-expires-asleep.yaml")
#embed "../../Scenarios/doze/token-expires-asleep.yaml"
FILE("Scenarios/doze/uptime-clock.yaml")
#embed "../../Scenarios/doze/uptime-clock.yaml"
FILE("Scenarios/doze/wake-to-dead-peer.yaml")
#embed "../../Scenarios/doze/wake-to-dead-peer.yaml"
FILE("Scenarios/doze/wrong-clock-decides.yaml")
#embed "../../Scenarios/doze/wrong-clock-decides.yaml"
FILE("Scenarios/flow/conflate-or-cut.yaml")
#embed "../../Scenarios/flow/conflate-or-cut.yaml"
FILE("Scenarios/flow/dead-stream.yaml")
#embed "../../Scenarios/flow/dead-stream.yaml"
FILE("Scenarios/flow/frozen-screen.yaml")
#embed "../../Scenarios/flow/frozen-screen.yaml"
FILE("Scenarios/flow/refused-messages.yaml")
#embed "../../Scenarios/flow/refused-messages.yaml"
FILE("Scenarios/flow/resumable-upload.yaml")
#embed "../../Scenarios/flow/resumable-upload.yaml"
FILE("Scenarios/flow/retry-by-job.yaml")
#embed "../../Scenarios/flow/retry-by-job.yaml"
FILE("Scenarios/flow/retry-storm.yaml")
#embed "../../Scenarios/flow/retry-storm.yaml"
FILE("Scenarios/flow/slow-cursor.yaml")
#embed "../../Scenarios/flow/slow-cursor.yaml"
FILE("Scenarios/flow/two-rate-deadlock.yaml")
#embed "../../Scenarios/flow/two-rate-deadlock.yaml"
FILE("Scenarios/flow/unbounded-queue.yaml")
#embed "../../Scenarios/flow/unbounded-queue.yaml"
FILE("Scenarios/flow/wifi-only-upload.yaml")
#embed "../../Scenarios/flow/wifi-only-upload.yaml"
FILE("Scenarios/flow/window-stall.yaml")
#embed "../../Scenarios/flow/window-stall.yaml"
FILE("Scenarios/handoff/better-transport-again.yaml")
#embed "../../Scenarios/handoff/better-transport-again.yaml"
FILE("Scenarios/handoff/broken-ipv6.yaml")
#embed "../../Scenarios/handoff/broken-ipv6.yaml"
FILE("Scenarios/handoff/call-changes-networks.yaml")
#embed "../../Scenarios/handoff/call-changes-networks.yaml"
FILE("Scenarios/handoff/calls-in-flight-mode.yaml")
#embed "../../Scenarios/handoff/calls-in-flight-mode.yaml"
FILE("Scenarios/handoff/captive-or-unvalidated.yaml")
#embed "../../Scenarios/handoff/captive-or-unvalidated.yaml"
FILE("Scenarios/handoff/connect-blocks.yaml")
#embed "../../Scenarios/handoff/connect-blocks.yaml"
FILE("Scenarios/handoff/elevator-calls.yaml")
#embed "../../Scenarios/handoff/elevator-calls.yaml"
FILE("Scenarios/handoff/elevator.yaml")
#embed "../../Scenarios/handoff/elevator.yaml"
FILE("Scenarios/handoff/event-before-usable.yaml")
#embed "../../Scenarios/handoff/event-before-usable.yaml"
FILE("Scenarios/handoff/first-call-back.yaml")
#embed "../../Scenarios/handoff/first-call-back.yaml"
FILE("Scenarios/handoff/frozen-terminal.yaml")
#embed "../../Scenarios/handoff/frozen-terminal.yaml"
FILE("Scenarios/handoff/handle-churn.yaml")
#embed "../../Scenarios/handoff/handle-churn.yaml"
FILE("Scenarios/handoff/in-flight-at-the-switch.yaml")
#embed "../../Scenarios/handoff/in-flight-at-the-switch.yaml"
FILE("Scenarios/handoff/ipv6-only-cellular.yaml")
#embed "../../Scenarios/handoff/ipv6-only-cellular.yaml"
FILE("Scenarios/handoff/long-shadow.yaml")
#embed "../../Scenarios/handoff/long-shadow.yaml"
FILE("Scenarios/handoff/nr-on-off-loop.yaml")
#embed "../../Scenarios/handoff/nr-on-off-loop.yaml"
FILE("Scenarios/handoff/pooled-dead-connection.yaml")
#embed "../../Scenarios/handoff/pooled-dead-connection.yaml"
FILE("Scenarios/handoff/presence-flaps.yaml")
#embed "../../Scenarios/handoff/presence-flaps.yaml"
FILE("Scenarios/handoff/second-sim.yaml")
#embed "../../Scenarios/handoff/second-sim.yaml"
FILE("Scenarios/handoff/silent-stream.yaml")
#embed "../../Scenarios/handoff/silent-stream.yaml"
FILE("Scenarios/handoff/syn-in-a-dead-zone.yaml")
#embed "../../Scenarios/handoff/syn-in-a-dead-zone.yaml"
FILE("Scenarios/handoff/split-dns.yaml")
#embed "../../Scenarios/handoff/split-dns.yaml"
FILE("Scenarios/handoff/tunnel-keeps-old-path.yaml")
#embed "../../Scenarios/handoff/tunnel-keeps-old-path.yaml"
FILE("Scenarios/handoff/udp-blocked.yaml")
#embed "../../Scenarios/handoff/udp-blocked.yaml"
FILE("Scenarios/handoff/watch-proxy.yaml")
#embed "../../Scenarios/handoff/watch-proxy.yaml"
FILE("Scenarios/handoff/wifi-to-wifi.yaml")
#embed "../../Scenarios/handoff/wifi-to-wifi.yaml"
FILE("Scenarios/herd/contention.yaml")
#embed "../../Scenarios/herd/contention.yaml"
FILE("Scenarios/herd/elevator-at-noon.yaml")
#embed "../../Scenarios/herd/elevator-at-noon.yaml"
FILE("Scenarios/herd/fixed-wait-never-converges.yaml")
#embed "../../Scenarios/herd/fixed-wait-never-converges.yaml"
FILE("Scenarios/herd/impatient-queue.yaml")
#embed "../../Scenarios/herd/impatient-queue.yaml"
FILE("Scenarios/herd/jitter-before-cap.yaml")
#embed "../../Scenarios/herd/jitter-before-cap.yaml"
FILE("Scenarios/herd/lockstep-storm.yaml")
#embed "../../Scenarios/herd/lockstep-storm.yaml"
FILE("Scenarios/herd/login-refused.yaml")
#embed "../../Scenarios/herd/login-refused.yaml"
FILE("Scenarios/herd/metastable.yaml")
#embed "../../Scenarios/herd/metastable.yaml"
FILE("Scenarios/herd/old-among-new.yaml")
#embed "../../Scenarios/herd/old-among-new.yaml"
FILE("Scenarios/herd/one-instance-down.yaml")
#embed "../../Scenarios/herd/one-instance-down.yaml"
FILE("Scenarios/herd/refused-for-good.yaml")
#embed "../../Scenarios/herd/refused-for-good.yaml"
FILE("Scenarios/herd/server-moves.yaml")
#embed "../../Scenarios/herd/server-moves.yaml"
FILE("Scenarios/herd/sixty-people.yaml")
#embed "../../Scenarios/herd/sixty-people.yaml"
FILE("Scenarios/herd/wave.yaml")
#embed "../../Scenarios/herd/wave.yaml"
FILE("Scenarios/iot/dtls-connection-id.yaml")
#embed "../../Scenarios/iot/dtls-connection-id.yaml"
FILE("Scenarios/iot/message-ids-forgotten.yaml")
#embed "../../Scenarios/iot/message-ids-forgotten.yaml"
FILE("Scenarios/iot/psm-downlink-waits.yaml")
#embed "../../Scenarios/iot/psm-downlink-waits.yaml"
FILE("Scenarios/iot/repeats-before-the-radio.yaml")
#embed "../../Scenarios/iot/repeats-before-the-radio.yaml"
FILE("Scenarios/keepalive/busy-client.yaml")
#embed "../../Scenarios/keepalive/busy-client.yaml"
FILE("Scenarios/keepalive/data-in-flight.yaml")
#embed "../../Scenarios/keepalive/data-in-flight.yaml"
FILE("Scenarios/keepalive/forty-minutes.yaml")
#embed "../../Scenarios/keepalive/forty-minutes.yaml"
FILE("Scenarios/keepalive/how-patient.yaml")
#embed "../../Scenarios/keepalive/how-patient.yaml"
FILE("Scenarios/keepalive/interface-or-wan.yaml")
#embed "../../Scenarios/keepalive/interface-or-wan.yaml"
FILE("Scenarios/keepalive/jittery-heartbeat.yaml")
#embed "../../Scenarios/keepalive/jittery-heartbeat.yaml"
FILE("Scenarios/keepalive/latency-after-idle.yaml")
#embed "../../Scenarios/keepalive/latency-after-idle.yaml"
FILE("Scenarios/keepalive/one-way-cellular.yaml")
#embed "../../Scenarios/keepalive/one-way-cellular.yaml"
FILE("Scenarios/keepalive/open-is-no-answer.yaml")
#embed "../../Scenarios/keepalive/open-is-no-answer.yaml"
FILE("Scenarios/keepalive/ping-interval.yaml")
#embed "../../Scenarios/keepalive/ping-interval.yaml"
FILE("Scenarios/keepalive/ping-into-send-buffer.yaml")
#embed "../../Scenarios/keepalive/ping-into-send-buffer.yaml"
FILE("Scenarios/keepalive/pings-stop-after-two.yaml")
#embed "../../Scenarios/keepalive/pings-stop-after-two.yaml"
FILE("Scenarios/keepalive/silent-idle-eviction.yaml")
#embed "../../Scenarios/keepalive/silent-idle-eviction.yaml"
FILE("Scenarios/keepalive/too-many-pings.yaml")
#embed "../../Scenarios/keepalive/too-many-pings.yaml"
FILE("Scenarios/keepalive/watchdog-not-armed.yaml")
#embed "../../Scenarios/keepalive/watchdog-not-armed.yaml"
FILE("Scenarios/keepalive/wedged-writer.yaml")
#embed "../../Scenarios/keepalive/wedged-writer.yaml"
FILE("Scenarios/profiles/bluetooth-aosp.yaml")
#embed "../../Scenarios/profiles/bluetooth-aosp.yaml"
FILE("Scenarios/profiles/ethernet-mains.yaml")
#embed "../../Scenarios/profiles/ethernet-mains.yaml"
FILE("Scenarios/profiles/lte-att-2012-aro.yaml")
#embed "../../Scenarios/profiles/lte-att-2012-aro.yaml"
FILE("Scenarios/profiles/lte-att-2012-mobisys.yaml")
#embed "../../Scenarios/profiles/lte-att-2012-mobisys.yaml"
FILE("Scenarios/profiles/lte-m-nrf9160.yaml")
#embed "../../Scenarios/profiles/lte-m-nrf9160.yaml"
FILE("Scenarios/profiles/lte-tmobile-2021.yaml")
#embed "../../Scenarios/profiles/lte-tmobile-2021.yaml"
FILE("Scenarios/profiles/lte-verizon-2021.yaml")
#embed "../../Scenarios/profiles/lte-verizon-2021.yaml"
FILE("Scenarios/profiles/nb-iot-nrf9160.yaml")
#embed "../../Scenarios/profiles/nb-iot-nrf9160.yaml"
FILE("Scenarios/profiles/nr-nsa-low-tmobile-2021.yaml")
#embed "../../Scenarios/profiles/nr-nsa-low-tmobile-2021.yaml"
FILE("Scenarios/profiles/nr-nsa-low-verizon-2021.yaml")
#embed "../../Scenarios/profiles/nr-nsa-low-verizon-2021.yaml"
FILE("Scenarios/profiles/nr-nsa-mid-verizon-2024.yaml")
#embed "../../Scenarios/profiles/nr-nsa-mid-verizon-2024.yaml"
FILE("Scenarios/profiles/nr-nsa-mmwave-verizon-2021.yaml")
#embed "../../Scenarios/profiles/nr-nsa-mmwave-verizon-2021.yaml"
FILE("Scenarios/profiles/nr-sa-low-tmobile-2021.yaml")
#embed "../../Scenarios/profiles/nr-sa-low-tmobile-2021.yaml"
FILE("Scenarios/profiles/nr-sa-mid-pixel-8.yaml")
#embed "../../Scenarios/profiles/nr-sa-mid-pixel-8.yaml"
FILE("Scenarios/profiles/nr-sa-mid-tmobile-2025.yaml")
#embed "../../Scenarios/profiles/nr-sa-mid-tmobile-2025.yaml"
FILE("Scenarios/profiles/umts-2012-mobisys.yaml")
#embed "../../Scenarios/profiles/umts-2012-mobisys.yaml"
FILE("Scenarios/profiles/umts-aro-code-defaults.yaml")
#embed "../../Scenarios/profiles/umts-aro-code-defaults.yaml"
FILE("Scenarios/profiles/umts-att-captivate.yaml")
#embed "../../Scenarios/profiles/umts-att-captivate.yaml"
FILE("Scenarios/profiles/umts-att-i997.yaml")
#embed "../../Scenarios/profiles/umts-att-i997.yaml"
FILE("Scenarios/profiles/umts-att-inspire.yaml")
#embed "../../Scenarios/profiles/umts-att-inspire.yaml"
FILE("Scenarios/profiles/umts-att-thrill.yaml")
#embed "../../Scenarios/profiles/umts-att-thrill.yaml"
FILE("Scenarios/profiles/umts-htc-dream-powertutor.yaml")
#embed "../../Scenarios/profiles/umts-htc-dream-powertutor.yaml"
FILE("Scenarios/profiles/umts-teliasonera.yaml")
#embed "../../Scenarios/profiles/umts-teliasonera.yaml"
FILE("Scenarios/profiles/wifi-2012-mobisys.yaml")
#embed "../../Scenarios/profiles/wifi-2012-mobisys.yaml"
FILE("Scenarios/profiles/wifi-aro.yaml")
#embed "../../Scenarios/profiles/wifi-aro.yaml"
FILE("Scenarios/profiles/wifi-galaxy-s2.yaml")
#embed "../../Scenarios/profiles/wifi-galaxy-s2.yaml"
FILE("Scenarios/profiles/wifi-oneplus-8.yaml")
#embed "../../Scenarios/profiles/wifi-oneplus-8.yaml"
FILE("Scenarios/resume/chaos.yaml")
#embed "../../Scenarios/resume/chaos.yaml"
FILE("Scenarios/resume/emit-twice.yaml")
#embed "../../Scenarios/resume/emit-twice.yaml"
FILE("Scenarios/resume/epoch-missing.yaml")
#embed "../../Scenarios/resume/epoch-missing.yaml"
FILE("Scenarios/resume/history-too-short.yaml")
#embed "../../Scenarios/resume/history-too-short.yaml"
FILE("Scenarios/resume/lossy-train.yaml")
#embed "../../Scenarios/resume/lossy-train.yaml"
FILE("Scenarios/resume/mass-resync.yaml")
#embed "../../Scenarios/resume/mass-resync.yaml"
FILE("Scenarios/resume/session-not-present.yaml")
#embed "../../Scenarios/resume/session-not-present.yaml"
FILE("Scenarios/resume/snapshot-by-push.yaml")
#embed "../../Scenarios/resume/snapshot-by-push.yaml"
FILE("Scenarios/resume/window-too-short.yaml")
#embed "../../Scenarios/resume/window-too-short.yaml"
FILE("Scenarios/strategies/ably.yaml")
#embed "../../Scenarios/strategies/ably.yaml"
FILE("Scenarios/strategies/actioncable.yaml")
#embed "../../Scenarios/strategies/actioncable.yaml"
FILE("Scenarios/strategies/article-grpc-fixed.yaml")
#embed "../../Scenarios/strategies/article-grpc-fixed.yaml"
FILE("Scenarios/strategies/article-grpc-kotlin.yaml")
#embed "../../Scenarios/strategies/article-grpc-kotlin.yaml"
FILE("Scenarios/strategies/article-grpc-swift.yaml")
#embed "../../Scenarios/strategies/article-grpc-swift.yaml"
FILE("Scenarios/strategies/article-websocket-aggressive.yaml")
#embed "../../Scenarios/strategies/article-websocket-aggressive.yaml"
FILE("Scenarios/strategies/article-websocket-code.yaml")
#embed "../../Scenarios/strategies/article-websocket-code.yaml"
FILE("Scenarios/strategies/article-websocket-push.yaml")
#embed "../../Scenarios/strategies/article-websocket-push.yaml"
FILE("Scenarios/strategies/article-websocket.yaml")
#embed "../../Scenarios/strategies/article-websocket.yaml"
FILE("Scenarios/strategies/aws-decorrelated.yaml")
#embed "../../Scenarios/strategies/aws-decorrelated.yaml"
FILE("Scenarios/strategies/aws-equal.yaml")
#embed "../../Scenarios/strategies/aws-equal.yaml"
FILE("Scenarios/strategies/aws-full.yaml")
#embed "../../Scenarios/strategies/aws-full.yaml"
FILE("Scenarios/strategies/aws-none.yaml")
#embed "../../Scenarios/strategies/aws-none.yaml"
FILE("Scenarios/strategies/centrifuge-js.yaml")
#embed "../../Scenarios/strategies/centrifuge-js.yaml"
FILE("Scenarios/strategies/deadzone-recommended.yaml")
#embed "../../Scenarios/strategies/deadzone-recommended.yaml"
FILE("Scenarios/strategies/discord-gateway.yaml")
#embed "../../Scenarios/strategies/discord-gateway.yaml"
FILE("Scenarios/strategies/discord.py.yaml")
#embed "../../Scenarios/strategies/discord.py.yaml"
FILE("Scenarios/strategies/fcm.yaml")
#embed "../../Scenarios/strategies/fcm.yaml"
FILE("Scenarios/strategies/firebase-rtdb.yaml")
#embed "../../Scenarios/strategies/firebase-rtdb.yaml"
FILE("Scenarios/strategies/firestore.yaml")
#embed "../../Scenarios/strategies/firestore.yaml"
FILE("Scenarios/strategies/graphql-ws.yaml")
#embed "../../Scenarios/strategies/graphql-ws.yaml"
FILE("Scenarios/strategies/grpc-android-okhttp.yaml")
#embed "../../Scenarios/strategies/grpc-android-okhttp.yaml"
FILE("Scenarios/strategies/grpc-core.yaml")
#embed "../../Scenarios/strategies/grpc-core.yaml"
FILE("Scenarios/strategies/grpc-go.yaml")
#embed "../../Scenarios/strategies/grpc-go.yaml"
FILE("Scenarios/strategies/grpc-ios-cfstream.yaml")
#embed "../../Scenarios/strategies/grpc-ios-cfstream.yaml"
FILE("Scenarios/strategies/grpc-ios-monitor.yaml")
#embed "../../Scenarios/strategies/grpc-ios-monitor.yaml"
FILE("Scenarios/strategies/grpc-ios-tcp.yaml")
#embed "../../Scenarios/strategies/grpc-ios-tcp.yaml"
FILE("Scenarios/strategies/grpc-java.yaml")
#embed "../../Scenarios/strategies/grpc-java.yaml"
FILE("Scenarios/strategies/grpc-spec.yaml")
#embed "../../Scenarios/strategies/grpc-spec.yaml"
FILE("Scenarios/strategies/grpc-swift-1.yaml")
#embed "../../Scenarios/strategies/grpc-swift-1.yaml"
FILE("Scenarios/strategies/grpc-swift-2.yaml")
#embed "../../Scenarios/strategies/grpc-swift-2.yaml"
FILE("Scenarios/strategies/nats-py.yaml")
#embed "../../Scenarios/strategies/nats-py.yaml"
FILE("Scenarios/strategies/nats.yaml")
#embed "../../Scenarios/strategies/nats.yaml"
FILE("Scenarios/strategies/okhttp-websocket.yaml")
#embed "../../Scenarios/strategies/okhttp-websocket.yaml"
FILE("Scenarios/strategies/paho-java.yaml")
#embed "../../Scenarios/strategies/paho-java.yaml"
FILE("Scenarios/strategies/paho-python.yaml")
#embed "../../Scenarios/strategies/paho-python.yaml"
FILE("Scenarios/strategies/phoenix.yaml")
#embed "../../Scenarios/strategies/phoenix.yaml"
FILE("Scenarios/strategies/pusher.yaml")
#embed "../../Scenarios/strategies/pusher.yaml"
FILE("Scenarios/strategies/python-socketio.yaml")
#embed "../../Scenarios/strategies/python-socketio.yaml"
FILE("Scenarios/strategies/quic-migrating.yaml")
#embed "../../Scenarios/strategies/quic-migrating.yaml"
FILE("Scenarios/strategies/realtime-py.yaml")
#embed "../../Scenarios/strategies/realtime-py.yaml"
FILE("Scenarios/strategies/reconnecting-websocket.yaml")
#embed "../../Scenarios/strategies/reconnecting-websocket.yaml"
FILE("Scenarios/strategies/rest-polling-1s.yaml")
#embed "../../Scenarios/strategies/rest-polling-1s.yaml"
FILE("Scenarios/strategies/rest-polling-30s.yaml")
#embed "../../Scenarios/strategies/rest-polling-30s.yaml"
FILE("Scenarios/strategies/signal-android.yaml")
#embed "../../Scenarios/strategies/signal-android.yaml"
FILE("Scenarios/strategies/signalr.yaml")
#embed "../../Scenarios/strategies/signalr.yaml"
FILE("Scenarios/strategies/slack-socket-mode.yaml")
#embed "../../Scenarios/strategies/slack-socket-mode.yaml"
FILE("Scenarios/strategies/slixmpp.yaml")
#embed "../../Scenarios/strategies/slixmpp.yaml"
FILE("Scenarios/strategies/socket.io.yaml")
#embed "../../Scenarios/strategies/socket.io.yaml"
FILE("Scenarios/strategies/supabase-realtime.yaml")
#embed "../../Scenarios/strategies/supabase-realtime.yaml"
FILE("Scenarios/strategies/websocket-naive.yaml")
#embed "../../Scenarios/strategies/websocket-naive.yaml"
FILE("Scenarios/strategies/websockets.yaml")
#embed "../../Scenarios/strategies/websockets.yaml"
FILE("Scenarios/strategies/wechat-mars.yaml")
#embed "../../Scenarios/strategies/wechat-mars.yaml"
FILE("Scenarios/strategies/xmpp-sm.yaml")
#embed "../../Scenarios/strategies/xmpp-sm.yaml"
FILE("Sources/Command/Guide/guide.css")
#embed "../../Sources/Command/Guide/guide.css"
FILE("Sources/Command/Guide/pages/baseline.md")
#embed "../../Sources/Command/Guide/pages/baseline.md"
FILE("Sources/Command/Guide/pages/bug-report.md")
#embed "../../Sources/Command/Guide/pages/bug-report.md"
FILE("Sources/Command/Guide/pages/choose-a-setting.md")
#embed "../../Sources/Command/Guide/pages/choose-a-setting.md"
FILE("Sources/Command/Guide/pages/ci.md")
#embed "../../Sources/Command/Guide/pages/ci.md"
FILE("Sources/Command/Guide/pages/cluster.md")
#embed "../../Sources/Command/Guide/pages/cluster.md"
FILE("Sources/Command/Guide/pages/everyday-worlds.md")
#embed "../../Sources/Command/Guide/pages/everyday-worlds.md"
FILE("Sources/Command/Guide/pages/find-what-breaks-it.md")
#embed "../../Sources/Command/Guide/pages/find-what-breaks-it.md"
FILE("Sources/Command/Guide/pages/fleets.md")
#embed "../../Sources/Command/Guide/pages/fleets.md"
FILE("Sources/Command/Guide/pages/from-aro.md")
#embed "../../Sources/Command/Guide/pages/from-aro.md"
FILE("Sources/Command/Guide/pages/from-k6.md")
#embed "../../Sources/Command/Guide/pages/from-k6.md"
FILE("Sources/Command/Guide/pages/from-toxiproxy.md")
#embed "../../Sources/Command/Guide/pages/from-toxiproxy.md"
FILE("Sources/Command/Guide/pages/gates.md")
#embed "../../Sources/Command/Guide/pages/gates.md"
FILE("Sources/Command/Guide/pages/glossary.md")
#embed "../../Sources/Command/Guide/pages/glossary.md"
FILE("Sources/Command/Guide/pages/how-many-replicas.md")
#embed "../../Sources/Command/Guide/pages/how-many-replicas.md"
FILE("Sources/Command/Guide/pages/modelled.md")
#embed "../../Sources/Command/Guide/pages/modelled.md"
FILE("Sources/Command/Guide/pages/my-client.md")
#embed "../../Sources/Command/Guide/pages/my-client.md"
FILE("Sources/Command/Guide/pages/perfetto.md")
#embed "../../Sources/Command/Guide/pages/perfetto.md"
FILE("Sources/Command/Guide/pages/reading-a-zombie.md")
#embed "../../Sources/Command/Guide/pages/reading-a-zombie.md"
FILE("Sources/Command/Guide/pages/real-phone.md")
#embed "../../Sources/Command/Guide/pages/real-phone.md"
FILE("Sources/Command/Guide/pages/results-as-tables.md")
#embed "../../Sources/Command/Guide/pages/results-as-tables.md"
FILE("Sources/Command/Guide/pages/strategy.md")
#embed "../../Sources/Command/Guide/pages/strategy.md"
FILE("Sources/Command/Guide/pages/studio.md")
#embed "../../Sources/Command/Guide/pages/studio.md"
FILE("Sources/Command/Guide/pages/symptoms.md")
#embed "../../Sources/Command/Guide/pages/symptoms.md"
FILE("Sources/Command/Guide/pages/ten-minutes.md")
#embed "../../Sources/Command/Guide/pages/ten-minutes.md"
FILE("Sources/Command/Guide/pages/which-profile.md")
#embed "../../Sources/Command/Guide/pages/which-profile.md"
FILE("Sources/Command/Guide/pages/why-dearer.md")
#embed "../../Sources/Command/Guide/pages/why-dearer.md"
FILE("Sources/Command/Guide/pages/why-lost.md")
#embed "../../Sources/Command/Guide/pages/why-lost.md"
FILE("Sources/Command/Guide/search.js")
#embed "../../Sources/Command/Guide/search.js"
FILE("Sources/Command/Studio/answer.js")
#embed "../../Sources/Command/Studio/answer.js"
FILE("Sources/Command/Studio/editor.js")
#embed "../../Sources/Command/Studio/editor.js"
FILE("Sources/Command/Studio/sliders.js")
#embed "../../Sources/Command/Studio/sliders.js"
FILE("Sources/Command/Studio/studio.css")
#embed "../../Sources/Command/Studio/studio.css"
FILE("Sources/Command/Studio/studio.html")
#embed "../../Sources/Command/Studio/studio.html"
FILE("Sources/Command/Studio/studio.js")
#embed "../../Sources/Command/Studio/studio.js"
FILE("Sources/Reports/Pages/chart.css")
#embed "../../Sources/Reports/Pages/chart.css"
FILE("Sources/Reports/Pages/page.css")
#embed "../../Sources/Reports/Pages/page.css"
FILE("Sources/Reports/Pages/page.js")
#embed "../../Sources/Reports/Pages/page.js"
END
};

const struct shipped_file *shipped_files(int *count) {
    *count = sizeof files / sizeof files[0] - 1;
    return files + 1;
}
