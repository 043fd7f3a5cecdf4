-- A delivery that is sent again by hand keeps no order: from now on it has no lane, so that a new schedule alone does not take it out of its lane.
update deliveries set lane = null where schedule_start > 0 and lane is not null and (state in ('pending', 'waiting') or blocks_lane);
