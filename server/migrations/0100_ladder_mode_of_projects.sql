-- The default of LadderMode is `auto` from now on. Projects that exist keep what they had.
update projects set encoder_settings = encoder_settings || '{"LadderMode": "eager"}'
  where not encoder_settings ? 'LadderMode';
