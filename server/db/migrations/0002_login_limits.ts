import type { Dialect } from '../ddl.ts'

/** When the last attempt was, for a delay that grows; and from where each account has signed in. */
export function loginLimits({ integer, text, tableEnd }: Dialect): string[] {
  return [
    `alter table login_attempts add column last_at ${integer} not null default 0`,
    `create table login_places (key ${text} primary key, at ${integer} not null) ${tableEnd}`,
  ]
}
