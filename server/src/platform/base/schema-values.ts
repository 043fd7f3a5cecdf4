/** Loads TypeBox's operations on values on first use: their 300 modules would take a tenth of a second of each start. */
export const schemaValues = () => import('typebox/value')
