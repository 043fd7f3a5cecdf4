-- Signing playout links has a rate limit of its own, because a page signs one for each viewer.
alter table rate_limit_windows drop constraint rate_limit_windows_kind_check;
alter table rate_limit_windows
  add constraint rate_limit_windows_kind_check check (kind in ('reads', 'writes', 'signatures'));
