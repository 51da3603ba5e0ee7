/// Expected texts of `RecordTableTests`.
enum RecordTableExpected {
    static let everyKindHasItsFieldsText1 = #"""
        | number | event | keys | tag values 
        |--:|---|---|---
        | 1 | `residency` | `tag`, `span_ns` |  
        | 2 | `promotion` | `interface` | `wifi`, `cellular`, `bluetooth`, `sim2`, `ethernet` 
        | 3 | `bytes` | `tag`, `bytes` |  
        | 10 | `sent_down` | `message` |  
        | 11 | `sent_up` | `message` |  
        | 12 | `delivered_down` | `after_ns` |  
        | 13 | `delivered_up` | `after_ns` |  
        | 14 | `acknowledged_up` | `after_ns` |  
        | 15 | `lost_down` | `count`, `message`, `reason`, `place`, `change` | `app_stopped`, `process_ended`, `mapping_forgotten`, `dead_connection`, `no_path`, `server_unavailable`, `not_connected`, `packet_lost`, `server_queue_full`, `app_buffer_full`, `app_queue_full`, `deduplicated`, `miscounted`, `credentials_expired`, `old_address`, `refused`, `stream_dead` 
        | 16 | `lost_up` | `count`, `message`, `reason`, `place`, `change` | `app_stopped`, `process_ended`, `mapping_forgotten`, `dead_connection`, `no_path`, `server_unavailable`, `not_connected`, `packet_lost`, `server_queue_full`, `app_buffer_full`, `app_queue_full`, `deduplicated`, `miscounted`, `credentials_expired`, `old_address`, `refused`, `stream_dead` 
        | 17 | `duplicated_down` | `count` |  
        | 18 | `duplicated_up` | `count` |  
        | 19 | `pending_down` | `count` |  
        | 20 | `pending_up` | `count` |  
        | 21 | `probe_answered` | `after_ns` |  
        | 22 | `probe_lost` | `count` |  
        | 30 | `connecting` | `after_trigger`, `connection` |  
        | 31 | `opened` | `connection` |  
        | 32 | `closed` | `reason`, `connection` | `by_client`, `path_lost`, `timed_out`, `reset`, `ended`, `denied`, `completed` 
        | 33 | `failed` | `reason`, `connection` | `no_path`, `timed_out`, `refused`, `unresolved`, `untrusted`, `turned_away` 
        | 34 | `false_drop` | `connection` |  
        | 35 | `zombie` | `span_ns` |  
        | 36 | `blocked` | `span_ns` |  
        | 37 | `detected` | `after_ns` |  
        | 38 | `recovered` | `after_ns` |  
        | 39 | `available` | `span_ns` |  
        | 40 | `resumed` | `cursor` |  
        | 41 | `pinged` |  |  
        | 42 | `ponged` | `round_trip_ns` |  
        | 43 | `timer_fired` | `timer` |  
        | 44 | `weather` | `change`, `took_effect` |  
        | 45 | `server_accepted` | `connection` |  
        | 46 | `finished` | `span_ns` |  
        | 47 | `stopped` | `code`, `events` |  
        | 48 | `undetected` | `span_ns` |  
        | 49 | `unrecovered` | `span_ns` |  
        | 65 | `zombie_frozen` | `span_ns` |  
        | 66 | `silent` | `reason`, `span_ns` | `app_stopped`, `process_ended`, `mapping_forgotten`, `dead_connection`, `no_path`, `server_unavailable`, `not_connected`, `credentials_expired`, `old_address` 
        | 67 | `transport_changed` | `transport`, `connection` | `websocket`, `datagram`, `http2`, `grpc`, `quic`, `polling`, `long_polling`, `sse`, `mqtt`, `tcp` 
        | 80 | `awake` | `cause`, `span_ns` | `baseline`, `payload`, `keepalive`, `pong`, `ack`, `connect`, `tls`, `dns`, `resume`, `retransmit`, `poll`, `push`, `wake`, `other_apps`, `handover`, `search`, `probe`, `tunnel` 
        | 81 | `woke` | `cause` | `baseline`, `payload`, `keepalive`, `pong`, `ack`, `connect`, `tls`, `dns`, `resume`, `retransmit`, `poll`, `push`, `wake`, `other_apps`, `handover`, `search`, `probe`, `tunnel` 
        | 82 | `window` | `span_ns` |  
        | 83 | `suspended` | `reason`, `span_ns` | `asleep`, `suspended`, `frozen` 
        | 84 | `killed` |  |  
        | 85 | `relaunched` |  |  
        | 86 | `timer_late` | `timer`, `after_ns` |  
        | 87 | `pushed` | `after_ns` |  
        | 88 | `network_told` | `network`, `interface` | `available`, `losing`, `lost`, `validated`, `unvalidated`, `blocked`, `unblocked`, `capabilities` 
        | 95 | `crashed` |  |  
        | 241 | `consumer_abandoned` |  |  
        | 100 | `called` | `call` |  
        | 101 | `answered` | `after_ns` |  
        | 102 | `call_failed` | `reason`, `after_ns` | `deadline_exceeded`, `unavailable`, `resource_exhausted`, `permission_denied` 
        | 103 | `call_pending` | `count` |  
        | 104 | `answer_unused` | `call` |  
        | 109 | `call_outage` | `calls`, `span_ns` |  
        | 110 | `call_repeated` | `call` |  
        | 105 | `mapping_expired` | `interface` | `wifi`, `cellular`, `bluetooth`, `sim2`, `ethernet` 
        | 106 | `server_expired` | `reason`, `connection` | `silent`, `unanswered`, `idle`, `age`, `slow`, `session` 
        | 107 | `resolved` | `result`, `after_ns` | `answered`, `cached`, `failed`, `kept`, `kept_failure`, `stale` 
        | 108 | `go_away` | `reason` | `no_error`, `too_many_pings` 
        | 130 | `queue_dropped` | `count` |  
        | 131 | `protocol_blocked` | `interface` | `wifi`, `cellular`, `bluetooth`, `sim2`, `ethernet` 
        | 160 | `ping_struck` | `count` |  
        | 161 | `server_pinged` | `count` |  
        | 170 | `server_asked` | `call` |  
        | 171 | `server_rejected` | `reason`, `call` | `transient`, `permanent`, `rate_limited`, `overloaded`, `unprocessed`, `unheard` 
        | 140 | `downlink_held` | `interface`, `span_ns` | `wifi`, `cellular`, `bluetooth`, `sim2`, `ethernet` 
        | 141 | `downlink_dropped` | `interface`, `count` | `wifi`, `cellular`, `bluetooth`, `sim2`, `ethernet` 
        | 142 | `exchange_repeated` | `message` |  
        | 143 | `exchange_abandoned` |  |  
        | 144 | `dtls_opened` | `connection` |  
        | 145 | `dtls_ignored` | `connection` |  
        | 180 | `buffer_filled` | `count` |  
        | 181 | `buffer_dropped` | `overflow`, `count` | `suspend`, `drop_oldest`, `drop_latest` 
        | 182 | `buffer_peak` | `count` |  
        | 183 | `memory_peak` | `bytes` |  
        | 184 | `consumer_stalled` | `span_ns` |  
        | 185 | `window_shut` | `direction` | `up`, `down` 
        | 186 | `flow_stalled` | `direction`, `span_ns` | `up`, `down` 
        | 187 | `socket_filled` |  |  
        | 188 | `socket_stalled` | `span_ns` |  
        | 189 | `writes_pending` | `count` |  
        | 190 | `writes_called_back` | `count` |  
        | 191 | `messages_asked` | `count` |  
        | 200 | `suppressed_down` | `count` |  
        | 201 | `suppressed_up` | `count` |  
        | 202 | `mistaken_down` | `count` |  
        | 203 | `mistaken_up` | `count` |  
        | 204 | `reordered_down` | `count` |  
        | 205 | `reordered_up` | `count` |  
        | 206 | `gap_noticed` | `count` |  
        | 207 | `gap_unnoticed` | `count` |  
        | 208 | `full_sync` | `bytes` |  
        | 209 | `drift` | `count` |  
        | 210 | `dedup_memory` | `bytes` |  
        | 211 | `queue_overflow` | `count` |  
        | 212 | `fresh` | `after_ns` |  
        | 213 | `stale` | `span_ns` |  
        | 214 | `session_refused` | `connection` |  
        | 120 | `credentials_renewed` | `after_ns` |  
        | 121 | `credentials_refused` | `use` | `session`, `call`, `refresh` 
        | 122 | `logged_out` |  |  
        | 123 | `logged_out_for` | `span_ns` |  
        | 146 | `message_refused` | `reason`, `message` | `transient`, `permanent`, `locked` 
        | 147 | `message_retried` | `message` |  
        | 148 | `upload_wasted` | `bytes` |  
        | 149 | `upload_resumed` | `bytes` |  
        | 192 | `push_collapsed` | `count` |  
        | 193 | `push_discarded` | `count` |  
        | 194 | `push_expired` | `count` |  
        | 195 | `push_unregistered` | `count` |  
        | 196 | `push_demoted` |  |  
        | 197 | `push_token_void` | `span_ns` |  
        | 224 | `stream_joining` | `stream` |  
        | 215 | `stream_rejoining` | `stream` |  
        | 225 | `stream_joined` | `stream` |  
        | 226 | `stream_refused` | `reason`, `stream` | `refused`, `unanswered` 
        | 227 | `stream_ended` | `end`, `stream` | `told`, `silent` 
        | 228 | `stream_deaf` | `span_ns` |  
        | 229 | `stream_out` | `span_ns` |  
        | 150 | `tunnel_ready` | `after_ns` |  
        | 151 | `tunnel_down` | `span_ns` |  
        | 152 | `tunnel_dropped` | `count` |  
        | 172 | `presence_away` | `reason` | `app_stopped`, `process_ended`, `mapping_forgotten`, `dead_connection`, `no_path`, `server_unavailable`, `not_connected`, `credentials_expired`, `old_address` 
        | 173 | `presence_back` | `after_ns` |  
        | 174 | `presence_still_away` | `after_ns` |  
        | 175 | `presence_ghost` | `span_ns` |  
        | 176 | `presence_missed` | `span_ns` |  
        | 177 | `path_selected` | `path` | `relay`, `direct` 
        | 178 | `used_direct` | `span_ns` |  
        | 179 | `used_relay` | `span_ns` |  
        | 220 | `herd_began` |  |  
        | 221 | `herd_back` | `after_trigger`, `after_ns` |  
        | 222 | `herd_missing` | `after_trigger`, `after_ns` |  
        | 223 | `server_held` | `span_ns` |  
        | 230 | `server_queue_peak` | `bytes` |  
        | 231 | `server_queue_dropped` | `count` |  
        | 240 | `attempted_offline` |  |  
        | 250 | `waited_down` | `span_ns` |  
        | 251 | `waited_up` | `span_ns` |  
        | 252 | `waited_call` | `span_ns` |  
        | 253 | `waited_probe` | `span_ns` |  
        | 254 | `waited_push` | `span_ns` |  
        """#

    static let everyKindHasItsFieldsText2 = #"""
        residency: true false span_ns=1 interface=wifi state=idle level=unassociated cause=baseline / span_ns=7 tag=65535
        promotion: false false interface=wifi / interface=65535
        bytes: true false bytes=1 interface=wifi direction=up cause=baseline / bytes=7 tag=65535
        sent_down: true false message=1 / message=7
        sent_up: true false message=1 / message=7
        delivered_down: true false after_ns=1 / after_ns=7
        delivered_up: true false after_ns=1 / after_ns=7
        acknowledged_up: true false after_ns=1 / after_ns=7
        lost_down: false true count=1 / count=7
        lost_up: false true count=1 / count=7
        duplicated_down: true false count=1 / count=7
        duplicated_up: true false count=1 / count=7
        pending_down: true false count=1 / count=7
        pending_up: true false count=1 / count=7
        probe_answered: true false after_ns=1 / after_ns=7
        probe_lost: true false count=1 / count=7
        connecting: true false connection=1 after_trigger=false / connection=7 after_trigger=65535
        opened: true false connection=1 / connection=7
        closed: true false connection=1 reason=by_client / connection=7 reason=65535
        failed: true false connection=1 reason=0 / connection=7 reason=65535
        false_drop: true false connection=1 / connection=7
        zombie: true false span_ns=1 / span_ns=7
        blocked: true false span_ns=1 / span_ns=7
        detected: true false after_ns=1 / after_ns=7
        recovered: true false after_ns=1 / after_ns=7
        available: true false span_ns=1 / span_ns=7
        resumed: true false cursor=1 / cursor=7
        pinged: false false  / 
        ponged: true false round_trip_ns=1 / round_trip_ns=7
        timer_fired: false false timer=0 / timer=65535
        weather: false true took_effect=true change=0 / took_effect=true change=65535
        server_accepted: true false connection=1 / connection=7
        finished: true false span_ns=1 / span_ns=7
        stopped: true false events=1 code=0 / events=7 code=65535
        undetected: true false span_ns=1 / span_ns=7
        unrecovered: true false span_ns=1 / span_ns=7
        zombie_frozen: true false span_ns=1 / span_ns=7
        silent: true false span_ns=1 reason=unobserved / span_ns=7 reason=old_address change=4094
        transport_changed: true false connection=1 transport=websocket / connection=7 transport=65535
        awake: true false span_ns=1 cause=baseline / span_ns=7 cause=65535
        woke: false false cause=baseline / cause=65535
        window: true false span_ns=1 / span_ns=7
        suspended: true false span_ns=1 reason=asleep / span_ns=7 reason=65535
        killed: false false  / 
        relaunched: false false  / 
        timer_late: true false after_ns=1 timer=0 / after_ns=7 timer=65535
        pushed: true false after_ns=1 / after_ns=7
        network_told: false true interface=cellular network=available / interface=7 network=65535
        crashed: false false  / 
        consumer_abandoned: false false  / 
        called: true false call=1 / call=7
        answered: true false after_ns=1 / after_ns=7
        call_failed: true false after_ns=1 reason=deadline_exceeded / after_ns=7 reason=65535
        call_pending: true false count=1 / count=7
        answer_unused: true false call=1 / call=7
        call_outage: true false span_ns=1 calls=0 / span_ns=7 calls=65535
        call_repeated: true false call=1 / call=7
        mapping_expired: false false interface=wifi / interface=65535
        server_expired: true false connection=1 reason=silent / connection=7 reason=65535
        resolved: true false after_ns=1 result=answered / after_ns=7 result=65535
        go_away: false false reason=no_error / reason=65535
        queue_dropped: true false count=1 / count=7
        protocol_blocked: false false interface=wifi / interface=65535
        ping_struck: true false count=1 / count=7
        server_pinged: true false count=1 / count=7
        server_asked: true false call=1 / call=7
        server_rejected: true false call=1 reason=transient / call=7 reason=65535
        downlink_held: true false span_ns=1 interface=wifi / span_ns=7 interface=65535
        downlink_dropped: true false count=1 interface=wifi / count=7 interface=65535
        exchange_repeated: true false message=1 / message=7
        exchange_abandoned: false false  / 
        dtls_opened: true false connection=1 / connection=7
        dtls_ignored: true false connection=1 / connection=7
        buffer_filled: true false count=1 / count=7
        buffer_dropped: true false count=1 overflow=suspend / count=7 overflow=65535
        buffer_peak: true false count=1 / count=7
        memory_peak: true false bytes=1 / bytes=7
        consumer_stalled: true false span_ns=1 / span_ns=7
        window_shut: false false direction=up / direction=65535
        flow_stalled: true false span_ns=1 direction=up / span_ns=7 direction=65535
        socket_filled: false false  / 
        socket_stalled: true false span_ns=1 / span_ns=7
        writes_pending: true false count=1 / count=7
        writes_called_back: true false count=1 / count=7
        messages_asked: true false count=1 / count=7
        suppressed_down: true false count=1 / count=7
        suppressed_up: true false count=1 / count=7
        mistaken_down: true false count=1 / count=7
        mistaken_up: true false count=1 / count=7
        reordered_down: true false count=1 / count=7
        reordered_up: true false count=1 / count=7
        gap_noticed: true false count=1 / count=7
        gap_unnoticed: true false count=1 / count=7
        full_sync: true false bytes=1 / bytes=7
        drift: true false count=1 / count=7
        dedup_memory: true false bytes=1 / bytes=7
        queue_overflow: true false count=1 / count=7
        fresh: true false after_ns=1 / after_ns=7
        stale: true false span_ns=1 / span_ns=7
        session_refused: true false connection=1 / connection=7
        credentials_renewed: true false after_ns=1 / after_ns=7
        credentials_refused: false false use=session / use=65535
        logged_out: false false  / 
        logged_out_for: true false span_ns=1 / span_ns=7
        message_refused: true false message=1 reason=transient / message=7 reason=65535
        message_retried: true false message=1 / message=7
        upload_wasted: true false bytes=1 / bytes=7
        upload_resumed: true false bytes=1 / bytes=7
        push_collapsed: true false count=1 / count=7
        push_discarded: true false count=1 / count=7
        push_expired: true false count=1 / count=7
        push_unregistered: true false count=1 / count=7
        push_demoted: false false  / 
        push_token_void: true false span_ns=1 / span_ns=7
        stream_joining: true false stream=1 / stream=7
        stream_rejoining: true false stream=1 / stream=7
        stream_joined: true false stream=1 / stream=7
        stream_refused: true false stream=1 reason=refused / stream=7 reason=65535
        stream_ended: true false stream=1 end=told / stream=7 end=65535
        stream_deaf: true false span_ns=1 / span_ns=7
        stream_out: true false span_ns=1 / span_ns=7
        tunnel_ready: true false after_ns=1 / after_ns=7
        tunnel_down: true false span_ns=1 / span_ns=7
        tunnel_dropped: true false count=1 / count=7
        presence_away: false false reason=unobserved / reason=old_address change=4094
        presence_back: true false after_ns=1 / after_ns=7
        presence_still_away: true false after_ns=1 / after_ns=7
        presence_ghost: true false span_ns=1 / span_ns=7
        presence_missed: true false span_ns=1 / span_ns=7
        path_selected: false false path=relay / path=65535
        used_direct: true false span_ns=1 / span_ns=7
        used_relay: true false span_ns=1 / span_ns=7
        herd_began: false false  / 
        herd_back: true false after_ns=1 after_trigger=false / after_ns=7 after_trigger=65535
        herd_missing: true false after_ns=1 after_trigger=false / after_ns=7 after_trigger=65535
        server_held: true false span_ns=1 / span_ns=7
        server_queue_peak: true false bytes=1 / bytes=7
        server_queue_dropped: true false count=1 / count=7
        attempted_offline: false false  / 
        waited_down: true false span_ns=1 / span_ns=7
        waited_up: true false span_ns=1 / span_ns=7
        waited_call: true false span_ns=1 / span_ns=7
        waited_probe: true false span_ns=1 / span_ns=7
        waited_push: true false span_ns=1 / span_ns=7
        """#
}
