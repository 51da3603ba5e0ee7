/// Expected texts of `SchemaTextTests`.
enum SchemaTextExpected {
    static let everyShapeHasItsSchemaText = #"""
        {
          "$schema": "http://json-schema.org/draft-07/schema#",
          "additionalProperties": false,
          "anyOf": [{"required": ["a"]}, {"required": ["b"]}],
          "definitions": {
            "bounded-data-rate": {
              "anyOf": [
                {"$ref": "#/definitions/data-rate"},
                {"$ref": "#/definitions/shared-1"},
                {"$ref": "#/definitions/shared-2"}
              ]
            },
            "data-rate": {
              "anyOf": [
                {"examples": ["45s"], "pattern": "^[0-9]+s$", "type": "string"},
                {"$ref": "#/definitions/placeholder"}
              ]
            },
            "duration": {
              "anyOf": [
                {
                  "examples": ["45s"],
                  "pattern": "^\\+?([0-9]+(\\.[0-9]+)?([eE][-+]?[0-9]+)? *(h|m|s|ms|us|ns|d|min|µs|μs) *)+$",
                  "type": "string"
                },
                {"$ref": "#/definitions/placeholder"}
              ]
            },
            "placeholder": {
              "anyOf": [{"pattern": "\\$\\{[^}]+\\}", "type": "string"}, {"type": "null"}],
              "description": "a value of a matrix axis, or ~ to remove the value"
            },
            "share": {
              "anyOf": [
                {"minimum": 0, "type": "number"},
                {
                  "examples": ["2%"],
                  "pattern": "^\\+?[0-9]+(\\.[0-9]+)?([eE][-+]?[0-9]+)?%?$",
                  "type": "string"
                },
                {"$ref": "#/definitions/placeholder"}
              ]
            },
            "shared-1": {
              "anyOf": [
                {
                  "additionalProperties": false,
                  "patternProperties": {"^x-": {}},
                  "properties": {
                    "uniform": {
                      "anyOf": [
                        {
                          "items": {"$ref": "#/definitions/duration"},
                          "maxItems": 2,
                          "minItems": 2,
                          "type": "array"
                        },
                        {"$ref": "#/definitions/placeholder"}
                      ]
                    }
                  },
                  "required": ["uniform"],
                  "type": "object"
                },
                {"$ref": "#/definitions/placeholder"}
              ]
            },
            "shared-2": {
              "anyOf": [
                {
                  "additionalProperties": false,
                  "patternProperties": {"^x-": {}},
                  "properties": {"exponential": {"$ref": "#/definitions/duration"}},
                  "required": ["exponential"],
                  "type": "object"
                },
                {"$ref": "#/definitions/placeholder"}
              ]
            },
            "shared-3": {
              "additionalProperties": false,
              "patternProperties": {"^x-": {}},
              "properties": {
                "kind": {"anyOf": [{"enum": ["1.3", "on", 1.3]}, {"$ref": "#/definitions/placeholder"}]},
                "preset": {"anyOf": [{"enum": ["1.3", "on", 1.3]}, {"$ref": "#/definitions/placeholder"}]},
                "tries": {
                  "anyOf": [{"maximum": 9, "minimum": 1, "type": "integer"}, {"$ref": "#/definitions/placeholder"}],
                  "description": "attempts (default 3)"
                }
              }
            },
            "shared-4": {
              "additionalProperties": false,
              "patternProperties": {"^x-": {}},
              "properties": {
                "kind": {"anyOf": [{"enum": ["1.3", "on", 1.3]}, {"$ref": "#/definitions/placeholder"}]},
                "preset": {"anyOf": [{"enum": ["1.3", "on", 1.3]}, {"$ref": "#/definitions/placeholder"}]}
              }
            },
            "varying-data-rate": {
              "anyOf": [
                {"$ref": "#/definitions/data-rate"},
                {"$ref": "#/definitions/shared-1"},
                {"$ref": "#/definitions/shared-2"},
                {
                  "anyOf": [
                    {
                      "additionalProperties": false,
                      "patternProperties": {"^x-": {}},
                      "properties": {
                        "normal": {
                          "anyOf": [
                            {
                              "additionalProperties": false,
                              "patternProperties": {"^x-": {}},
                              "properties": {
                                "deviation": {"$ref": "#/definitions/duration"},
                                "mean": {"$ref": "#/definitions/duration"}
                              },
                              "type": "object"
                            },
                            {"$ref": "#/definitions/placeholder"}
                          ]
                        }
                      },
                      "required": ["normal"],
                      "type": "object"
                    },
                    {"$ref": "#/definitions/placeholder"}
                  ]
                },
                {
                  "anyOf": [
                    {
                      "additionalProperties": false,
                      "patternProperties": {"^x-": {}},
                      "properties": {
                        "lognormal": {
                          "anyOf": [
                            {
                              "additionalProperties": false,
                              "patternProperties": {"^x-": {}},
                              "properties": {
                                "median": {"$ref": "#/definitions/duration"},
                                "sigma": {"anyOf": [{"type": "number"}, {"$ref": "#/definitions/placeholder"}]}
                              },
                              "type": "object"
                            },
                            {"$ref": "#/definitions/placeholder"}
                          ]
                        }
                      },
                      "required": ["lognormal"],
                      "type": "object"
                    },
                    {"$ref": "#/definitions/placeholder"}
                  ]
                },
                {
                  "anyOf": [
                    {
                      "additionalProperties": false,
                      "patternProperties": {"^x-": {}},
                      "properties": {
                        "pareto": {
                          "anyOf": [
                            {
                              "additionalProperties": false,
                              "patternProperties": {"^x-": {}},
                              "properties": {
                                "scale": {"$ref": "#/definitions/duration"},
                                "shape": {"anyOf": [{"type": "number"}, {"$ref": "#/definitions/placeholder"}]}
                              },
                              "type": "object"
                            },
                            {"$ref": "#/definitions/placeholder"}
                          ]
                        }
                      },
                      "required": ["pareto"],
                      "type": "object"
                    },
                    {"$ref": "#/definitions/placeholder"}
                  ]
                },
                {
                  "anyOf": [
                    {
                      "additionalProperties": false,
                      "patternProperties": {"^x-": {}},
                      "properties": {
                        "table": {
                          "anyOf": [
                            {
                              "items": {
                                "anyOf": [
                                  {
                                    "items": {
                                      "anyOf": [{"$ref": "#/definitions/share"}, {"$ref": "#/definitions/duration"}]
                                    },
                                    "maxItems": 2,
                                    "minItems": 2,
                                    "type": "array"
                                  },
                                  {"$ref": "#/definitions/placeholder"}
                                ]
                              },
                              "maxItems": 1000,
                              "minItems": 2,
                              "type": "array"
                            },
                            {"$ref": "#/definitions/placeholder"}
                          ]
                        }
                      },
                      "required": ["table"],
                      "type": "object"
                    },
                    {"$ref": "#/definitions/placeholder"}
                  ]
                }
              ]
            }
          },
          "patternProperties": {"^x-": {}},
          "properties": {
            "any": {},
            "bounded": {"$ref": "#/definitions/bounded-data-rate"},
            "decimal": {"anyOf": [{"type": "number"}, {"$ref": "#/definitions/placeholder"}]},
            "either": {
              "anyOf": [
                {"$ref": "#/definitions/data-rate"},
                {
                  "anyOf": [
                    {
                      "additionalProperties": false,
                      "patternProperties": {"^x-": {}},
                      "properties": {
                        "may": {"anyOf": [{"type": "number"}, {"$ref": "#/definitions/placeholder"}]},
                        "must": {
                          "anyOf": [{"minimum": 0, "type": "integer"}, {"$ref": "#/definitions/placeholder"}]
                        }
                      },
                      "required": ["must"],
                      "type": "object"
                    },
                    {"$ref": "#/definitions/placeholder"}
                  ]
                }
              ]
            },
            "flag": {
              "anyOf": [{"type": "boolean"}, {"$ref": "#/definitions/placeholder"}],
              "description": "(default true)"
            },
            "inner": {
              "anyOf": [
                {
                  "additionalProperties": false,
                  "patternProperties": {"^x-": {}},
                  "properties": {
                    "may": {"anyOf": [{"type": "number"}, {"$ref": "#/definitions/placeholder"}]},
                    "must": {"anyOf": [{"minimum": 0, "type": "integer"}, {"$ref": "#/definitions/placeholder"}]}
                  },
                  "type": "object"
                },
                {"$ref": "#/definitions/placeholder"}
              ]
            },
            "integer": {
              "anyOf": [{"maximum": 5, "minimum": -1, "type": "integer"}, {"$ref": "#/definitions/placeholder"}]
            },
            "law": {"$ref": "#/definitions/varying-data-rate"},
            "list": {
              "anyOf": [
                {"items": {"$ref": "#/definitions/data-rate"}, "type": "array"},
                {"$ref": "#/definitions/placeholder"}
              ]
            },
            "named": {
              "anyOf": [
                {
                  "additionalProperties": {"anyOf": [{"type": "boolean"}, {"$ref": "#/definitions/placeholder"}]},
                  "patternProperties": {"^x-": {}},
                  "properties": {},
                  "type": "object"
                },
                {"$ref": "#/definitions/placeholder"}
              ]
            },
            "share": {"allOf": [{"$ref": "#/definitions/share"}], "description": "a share"},
            "span": {"allOf": [{"$ref": "#/definitions/data-rate"}], "description": "a span (default 1s)"},
            "span2": {"$ref": "#/definitions/data-rate"},
            "text": {"type": ["string", "number", "boolean", "null"]},
            "two": {
              "anyOf": [
                {
                  "items": {"type": ["string", "number", "boolean", "null"]},
                  "maxItems": 3,
                  "minItems": 2,
                  "type": "array"
                },
                {"$ref": "#/definitions/placeholder"}
              ]
            },
            "variant": {
              "anyOf": [
                {
                  "allOf": [
                    {
                      "if": {"properties": {"kind": {"enum": ["calm", "asleep"]}}, "required": ["kind"]},
                      "then": {"$ref": "#/definitions/shared-3"}
                    },
                    {
                      "if": {"properties": {"kind": {"const": "wild"}}, "required": ["kind"]},
                      "then": {"$ref": "#/definitions/shared-4"}
                    },
                    {
                      "if": {"properties": {"preset": {"enum": ["calm", "asleep"]}}, "required": ["preset"]},
                      "then": {"$ref": "#/definitions/shared-3"}
                    },
                    {
                      "if": {"properties": {"preset": {"const": "wild"}}, "required": ["preset"]},
                      "then": {"$ref": "#/definitions/shared-4"}
                    }
                  ],
                  "properties": {
                    "kind": {"anyOf": [{"enum": ["1.3", "on", 1.3]}, {"$ref": "#/definitions/placeholder"}]},
                    "preset": {"anyOf": [{"enum": ["1.3", "on", 1.3]}, {"$ref": "#/definitions/placeholder"}]}
                  },
                  "type": "object"
                },
                {"$ref": "#/definitions/placeholder"}
              ]
            },
            "word": {"anyOf": [{"enum": ["1.3", "on", 1.3]}, {"$ref": "#/definitions/placeholder"}]}
          },
          "title": "Title \"x\"",
          "type": "object"
        }

        """#
}
