import DeadzoneBase

extension Networks {
    /// Applies a change of the timeline that the operating system can notice. Returns `false` if it changes nothing.
    mutating func apply(
        _ change: ConditionChange, at now: Instant, _ out: inout EffectQueue<NetworksEffect>
    ) -> Bool {
        switch change {
        case .pathUp(let interface, let attachment): raise(interface, attachment, at: now, &out)
        case .pathDown(let interface, let lossSignal): drop(interface, lossSignal, at: now, &out)
        case .fading(let interface): fade(interface, at: now, &out)
        case .readdress(let interface, let lossSignal): readdress(interface, lossSignal, at: now, &out)
        case .spurious(let interface, let event): announceSpurious(event, of: interface, at: now, &out)
        case .access(let interface, let access): setAccess(access, to: interface, at: now, &out)
        default: false
        }
    }
}
