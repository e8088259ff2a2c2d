"""Library models on made-up inputs: built from shrunken configurations, called eagerly and under Dynamo."""
