export {
  eventNames,
  familyOf,
  recordFields,
  type EventFamily,
  type EventName,
  type RecordField,
} from './events.ts'
export { isRole, permissions, roleAllows, roles, type Permission, type Role } from './permissions.ts'
