export {
  customDimensionPrefix,
  dimensionFilters,
  generalDimensions,
  pageDimension,
  viewDimensions,
  type DimensionFilter,
  type ViewDimension,
} from './dimensions.ts'
export {
  eventNames,
  familyOf,
  isOptInEvent,
  recordFields,
  type EventFamily,
  type EventName,
  type RecordField,
} from './events.ts'
export {
  createMessages,
  fillText,
  messageOf,
  type Message,
  type Cause,
  type MessageParams,
  type ParamsOf,
  type Reason,
} from './messages.ts'
export {
  isProjectRole,
  isRole,
  permissions,
  projectRoles,
  roleAllows,
  roles,
  type Permission,
  type ProjectRole,
  type Role,
} from './permissions.ts'
