alter table identity_providers
  drop constraint identity_providers_preset_check,
  add constraint identity_providers_preset_check
    check (preset in ('cognito', 'auth0', 'entra', 'okta', 'keycloak', 'google', 'custom'));
