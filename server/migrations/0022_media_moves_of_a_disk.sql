-- Each machine moves what its own disk holds: what a killed move has left is settled there, and two disks may hold blobs of the same file.
alter table media_moves add column disk text not null default '';
alter table media_moves drop constraint media_moves_pkey;
alter table media_moves add primary key (file_id, disk);
