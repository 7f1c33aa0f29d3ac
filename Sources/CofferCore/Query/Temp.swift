extension FetchDescriptor { func _plan() throws -> LoweredFetch {
  var l = LoweredFetch(plan: FetchPlan(entityName: T._$descriptor.entityName)); l.needsFilter = predicate != nil; l.needsSort = !sortBy.isEmpty; l.plan.limit = fetchLimit; l.plan.offset = fetchOffset ?? 0; return l } }
