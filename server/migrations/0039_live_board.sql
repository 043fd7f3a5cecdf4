-- What viewers read before and after a broadcast; empty = what the player says by itself.
alter table live_streams
  add column board_text text not null default '',
  add column ended_text text not null default '';
