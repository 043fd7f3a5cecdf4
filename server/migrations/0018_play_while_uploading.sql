-- The upload that plays while its bytes still arrive, by its staging name; null once they are whole and probed, and for all others.
alter table media_files add column arriving_upload uuid;
-- With so many bytes a worker looks whether the first seconds can be played already; null = it will not look (again).
alter table uploads add column look_at_bytes bigint default 65536;
