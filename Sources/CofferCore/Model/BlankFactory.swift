import CofferRuntime
import Foundation

#if canImport(ObjectiveC)
import ObjectiveC
#endif

/// Makes models without values, to be filled from rows.
///
/// The initialiser that the macro writes would do, but the compiler runs the property's default values in every
/// initialiser, and with `var id = UUID()` that costs more than all the rest of a fetch. A model without values whose
/// stored properties are all persisted ones holds nothing but "not loaded", bits that own nothing; such models are
/// copied from a first one instead.
@usableFromInline
struct BlankFactory {
    @usableFromInline
    struct Layout {
        @usableFromInline let original: AnyObject
        @usableFromInline let metadata: UnsafeRawPointer
        @usableFromInline let size: Int
        @usableFromInline let alignmentMask: Int
    }

    @usableFromInline let layout: Layout?

    init<M: PersistentModel>(_ type: M.Type) {
        layout = M._$isPlain && Self.hasModelsOnlyAbove(type) ? Self.layout(of: M(_$blank: ())) : nil
    }

    /// A new model without values.
    @inlinable @inline(__always)
    func make<M: PersistentModel>(_ type: M.Type) -> M {
        guard let layout else { return M(_$blank: ()) }
        let object = coffer_clone(
            layout.metadata, layout.size, layout.alignmentMask,
            Unmanaged.passUnretained(layout.original).toOpaque())
        return Unmanaged<M>.fromOpaque(object).takeRetainedValue()
    }

    /// An ordinary superclass may have instance variables of any kind.
    private static func hasModelsOnlyAbove(_ type: any PersistentModel.Type) -> Bool {
        var top: AnyClass = type
        while let superclass = _getSuperclass(top) {
            guard let model = superclass as? any PersistentModel.Type else {
                // On Apple's systems every Swift class has a root class of the runtime.
                return _getSuperclass(superclass) == nil && String(reflecting: superclass).contains("SwiftObject")
            }
            if !model._$isPlain { return false }
            top = superclass
        }
        return true
    }

    private static func layout<M: PersistentModel>(of original: M) -> Layout? {
        let metadata = unsafeBitCast(M.self as AnyClass, to: UnsafeRawPointer.self)
        #if canImport(ObjectiveC)
        return Layout(
            original: original, metadata: metadata, size: class_getInstanceSize(M.self), alignmentMask: 15)
        #else
        // The class metadata's fixed part: kind, superclass, flags, address point, instance size, alignment mask.
        guard metadata.load(fromByteOffset: 20, as: UInt32.self) == 0 else { return nil }
        return Layout(
            original: original, metadata: metadata,
            size: Int(metadata.load(fromByteOffset: 24, as: UInt32.self)),
            alignmentMask: Int(metadata.load(fromByteOffset: 28, as: UInt16.self)))
        #endif
    }
}
