-- A user with the role None in a project cannot see it.
alter table project_roles drop constraint project_roles_role_check;
alter table project_roles add constraint project_roles_role_check
  check (role in ('None', 'Reader', 'Uploader', 'JuniorEditor', 'SeniorEditor', 'Administrator'));
