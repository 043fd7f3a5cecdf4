-- Hash of the token of a key that is no JWT.
alter table api_keys add column token_hash bytea unique;
